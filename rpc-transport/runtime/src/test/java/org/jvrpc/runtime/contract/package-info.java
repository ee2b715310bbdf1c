/**
 * What calls must do whatever carries them: abstract suites that each device runs by extending them. Knows the public
 * API alone and no device; an implementation gives fresh addresses, and the process in which servers run. Nothing
 * sleeps to wait for a state, and every wait is bounded by {@link org.jvrpc.runtime.contract.Await}.
 */
package org.jvrpc.runtime.contract;
