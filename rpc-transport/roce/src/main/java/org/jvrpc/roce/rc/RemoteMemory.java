package org.jvrpc.roce.rc;

import java.nio.ByteBuffer;

/** The memory of a QP's domain as the peer reaches it, by rkeys. The QP's thread. */
public interface RemoteMemory {

    /**
     * Returns true when a key gives so much memory with these rights.
     *
     * @param access bits of {@link org.jvrpc.verbs.Access}
     */
    boolean allows(int rkey, long address, long length, int access);

    /** Writes bytes of a packet; false when the key refuses by now. */
    boolean write(int rkey, long address, ByteBuffer packet, int at, int length);

    /** Reads bytes into a packet; false when the key refuses by now. */
    boolean read(int rkey, long address, ByteBuffer packet, int at, int length);

    /** Stores {@code swap} where {@code compare} is found; returns what was found. The key was looked at just now. */
    long compareAndSwap(int rkey, long address, long compare, long swap);

    /** Adds; returns what was found. The key was looked at just now. */
    long fetchAndAdd(int rkey, long address, long add);

    /** Invalidates a key; false when it is none that may be. */
    boolean invalidate(int rkey);
}
