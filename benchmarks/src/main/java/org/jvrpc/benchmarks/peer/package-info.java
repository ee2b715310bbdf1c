/**
 * What users would otherwise call with: sockets of Java NIO, gRPC-java, Aeron IPC. Each is written as well as its own
 * style allows: no allocation of ours on a call, direct buffers, batching in the pipelines. Owns nothing of the harness
 * and must never know jvRPC. Sizes in bytes.
 */
package org.jvrpc.benchmarks.peer;
