package org.jvrpc.verbs;

/**
 * A piece of registered memory.
 *
 * @param address of the first byte
 * @param length in bytes, 0 to 2<sup>31</sup>-1; with 0 the others are not looked at
 * @param lkey of the region that holds it
 */
public record Sge(long address, int length, int lkey) {

    /** Checks the length. */
    public Sge {
        if (length < 0) {
            throw new IllegalArgumentException("length must not be negative, length=" + length);
        }
    }

    /** Returns {@code length} bytes of a region from {@code offset} on. */
    public static Sge of(MemoryRegion mr, long offset, int length) {
        return new Sge(mr.address() + offset, length, mr.lkey());
    }
}
