package org.jvrpc.softrnic.memory;

import java.nio.ByteBuffer;

/** A memory region of this process's device: what its keys allow, and where it lies. Immutable; any thread. */
public final class LocalRegion {

    private final int key;
    private final int pd;
    private final int access;
    private final Slab slab;
    private final long address;
    private final long length;
    private final boolean shared;
    private final ByteBuffer window;
    private final Slab staging;

    /** @param shared false for memory outside the arena, which peers cannot reach */
    public LocalRegion(int key, int pd, int access, Slab slab, long address, long length, boolean shared) {
        this(key, pd, access, slab, address, length, shared, null);
    }

    /** @param staging memory of the same addresses that the device reaches instead; null when it reaches the slab */
    public LocalRegion(int key, int pd, int access, Slab slab, long address, long length, boolean shared,
            Slab staging) {
        this.key = key;
        this.pd = pd;
        this.access = access;
        this.slab = slab;
        this.address = address;
        this.length = length;
        this.shared = shared;
        this.staging = staging;
        this.window = length <= Slab.untilWindowEnd(address) ? slab.window(address) : null;
    }

    /** Returns its lkey, which is its rkey. */
    public int key() {
        return key;
    }

    /** Returns the number of its protection domain. */
    int pd() {
        return pd;
    }

    public int access() {
        return access;
    }

    public Slab slab() {
        return slab;
    }

    public long address() {
        return address;
    }

    public long length() {
        return length;
    }

    public boolean isShared() {
        return shared;
    }

    /** Returns what the device reaches instead of the memory; null when it reaches that. */
    public Slab staging() {
        return staging;
    }

    /** Returns the one window that holds all of the region, or null when it takes several. */
    ByteBuffer window() {
        return window;
    }

    /** Returns true when so many bytes from an address on lie in the region; no overflow fools it. */
    boolean contains(long from, long bytes) {
        long offset = from - address;
        return offset >= 0 && bytes >= 0 && offset <= length && bytes <= length - offset;
    }
}
