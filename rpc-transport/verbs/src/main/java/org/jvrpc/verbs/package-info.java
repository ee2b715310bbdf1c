/**
 * RDMA verbs for Java: what every device offers, whoever makes it. Owns the names, the state rules and the stateful
 * verb calls; must never know RPC, queue formats or a particular device.
 *
 * <p>Addresses and lengths of memory are 64-bit and in bytes; an SGE is at most 2<sup>31</sup>-1 bytes. Keys are
 * 32-bit. Times end in {@code Ns}, nanoseconds. Control path calls may block and allocate; posting, polling and arming
 * never do.
 *
 * <p>Threads: a QP is posted to by one thread at a time, a CQ is polled by one thread at a time; the caller sees to
 * both. Everything else may be called from any thread. Source of the semantics: InfiniBand Architecture Specification
 * volume 1, chapters 9 to 11, and the rdma-core manual pages named at each method.
 */
package org.jvrpc.verbs;
