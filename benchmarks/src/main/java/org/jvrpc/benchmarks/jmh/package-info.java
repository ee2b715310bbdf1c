/**
 * JMH benchmarks, run in forks of the driver without Maven: codecs by themselves, and the allocation of whole calls
 * with both sides in one JVM. Times in nanoseconds an operation, sizes in bytes.
 */
package org.jvrpc.benchmarks.jmh;
