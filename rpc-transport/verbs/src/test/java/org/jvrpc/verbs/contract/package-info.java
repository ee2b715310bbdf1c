/**
 * What every device must do, as suites that each device runs: a device extends {@link
 * org.jvrpc.verbs.contract.QueuePairContract} in its own tests. Owns the rules of the interfaces; must never know a
 * device, a queue format or how progress is made, except that polling a CQ may be what makes it.
 *
 * <p>Tests wait by polling with a deadline, never by sleeping; random ones print {@code jvrpc.test.seed}.
 */
package org.jvrpc.verbs.contract;
