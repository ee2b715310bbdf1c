/** What clients of several servers are tested by, on whatever carries sessions. */
package org.jvrpc.runtime.contract.several;
