/**
 * The two-process harness: for each contender one server JVM and its client JVMs, driven over pipes by a driver JVM
 * that measures nothing itself. Owns processes, rounds and the timing loop; must never know what a contender is made
 * of.
 *
 * <p>Rounds go round-robin over the contenders. Processes of contenders whose turn it is not are stopped (SIGSTOP), so
 * that nothing spins, compiles or collects beside the one that is measured. Every process is killed, and the run's
 * folder is deleted, by a small shell process when the driver ends in whatever way.
 *
 * <p>Times are in nanoseconds. The driver is used by one thread.
 */
package org.jvrpc.benchmarks.harness;
