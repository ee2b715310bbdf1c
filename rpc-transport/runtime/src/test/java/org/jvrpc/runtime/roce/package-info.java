/**
 * Calls and messages over {@code roce://} between two processes: the contracts, whose clients are in the test's
 * process and whose servers are in a child, and processes that are killed, stopped, or want one UDP port. What one
 * process shows as well is in the root.
 */
package org.jvrpc.runtime.roce;
