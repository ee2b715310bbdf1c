/**
 * Peers in Java of the C tools that come with RDMA: rdma-core's pingpongs, rping, perftest. Each checks what it is sent
 * as far as the tool lets it, over rxe and, by a JVM on another host, over the software RNIC. One thread
 * each; every wait is bounded.
 */
package org.jvrpc.ibverbs.interop;
