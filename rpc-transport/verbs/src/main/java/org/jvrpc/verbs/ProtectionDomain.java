package org.jvrpc.verbs;

import java.nio.ByteBuffer;

/** Ties QPs to the memory that they may use. Source: ibv_alloc_pd(3). Any thread. */
public interface ProtectionDomain extends AutoCloseable {

    /**
     * Allocates zeroed memory that peers can reach, and registers it.
     *
     * @param length in bytes, at least 1; may be more than 2 GiB
     * @param access bits of {@link Access}
     * @throws VerbsException when there is no memory: the message names how much was asked and where
     */
    MemoryRegion allocate(long length, int access);

    /**
     * Registers direct memory for SGEs of this process; peers cannot reach it where the device is in software.
     *
     * @param access {@link Access#LOCAL_WRITE} or 0
     */
    MemoryRegion register(ByteBuffer direct, int access);

    /**
     * Makes a QP in state RESET. Source: ibv_create_qp(3).
     *
     * @throws VerbsException when an attribute is past the device's limit, or a CQ is exclusive and taken
     */
    QueuePair createQp(QueuePairAttributes attributes);

    /** Ends the domain. @throws VerbsException while regions or QPs live */
    @Override
    void close();
}
