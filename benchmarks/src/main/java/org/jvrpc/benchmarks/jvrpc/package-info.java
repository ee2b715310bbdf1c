/**
 * jvRPC as a contender: the annotated interfaces, their implementations, and the two ends over the public API of the
 * runtime. Must never use anything that a user could not.
 */
package org.jvrpc.benchmarks.jvrpc;
