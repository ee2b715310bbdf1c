/**
 * What the processes of a campaign do: servers, callers, senders of messages, each at the command of the driver. Owns
 * the service that is called, the right answers, and the faults that tests plant; must never know the driver, nor which
 * faults are planned: a process notices them as its users would.
 */
package org.jvrpc.benchmarks.soak.role;
