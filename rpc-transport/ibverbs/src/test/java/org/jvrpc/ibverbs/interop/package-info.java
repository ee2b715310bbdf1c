/**
 * Peers in Java of the C tools that come with RDMA: rdma-core's pingpongs, rping, perftest. Owns their exchange
 * formats; each peer checks what it is sent as far as the tool lets it. One thread each; every wait is bounded.
 */
package org.jvrpc.ibverbs.interop;
