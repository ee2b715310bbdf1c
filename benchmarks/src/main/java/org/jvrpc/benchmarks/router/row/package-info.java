/**
 * The parts of {@code bench router}: each measures some contenders of the room above in turns, notes figures and prints
 * a table. One thread, the driver's. Times in nanoseconds, sizes in bytes.
 */
package org.jvrpc.benchmarks.router.row;
