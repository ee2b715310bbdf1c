/**
 * The key-value store of the samples against memcached: servers, clients of every kind, the timeline of a crash. The
 * clients' side runs one thread. Values are 32 bytes that tell whose they are; times are nanoseconds.
 */
package org.jvrpc.benchmarks.kv;
