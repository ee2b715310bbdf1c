package org.jvrpc.verbs;

import java.nio.ByteBuffer;

/** Memory that the device may use. Source: ibv_reg_mr(3). Any thread. */
public interface MemoryRegion extends AutoCloseable {

    /** Returns the address of the first byte, in the device's address space. */
    long address();

    /** Returns the length in bytes. */
    long length();

    /** Returns the key for SGEs of this process. */
    int lkey();

    /** Returns the key for the peer's one-sided verbs. */
    int rkey();

    /** Returns the rights, bits of {@link Access}. */
    int access();

    /**
     * Returns a view of {@code length} bytes from {@code offset} on, little-endian. The view must not be used after
     * {@link #close()}.
     *
     * @throws IndexOutOfBoundsException outside the region, and for a view across a multiple of 1 GiB of the region
     * where     the device maps memory in pieces of that size, as the software RNIC does: take two
     */
    ByteBuffer buffer(long offset, int length);

    /**
     * Returns what another process of this user on this host needs to attach to the memory, see
     * {@link Device#attach(byte[])}: at most {@link Device#MAX_PRIVATE_BYTES} bytes. The memory stays the region's own,
     * and goes with it.
     *
     * @throws VerbsException when other processes cannot reach the memory
     */
    default byte[] export() {
        throw new VerbsException("export", "the device's memory cannot be reached by other processes");
    }

    /** Ends the region: its keys are dead at once, its memory is given back. Idempotent. */
    @Override
    void close();
}
