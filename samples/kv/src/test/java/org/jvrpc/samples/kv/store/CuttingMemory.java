package org.jvrpc.samples.kv.store;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.MemoryRegion;

/** Memory that throws in the place of death, after so many stores. */
final class CuttingMemory extends Memory {

    int left = Integer.MAX_VALUE;

    /** Thrown in the place of death. */
    static final class CutException extends RuntimeException {
        private static final long serialVersionUID = 1;

        CutException() {
            super("cut", null, false, false);
        }
    }

    CuttingMemory(MemoryRegion region) {
        super(region);
    }

    private void count() {
        if (left-- <= 0) {
            throw new CutException();
        }
    }

    @Override
    void putLong(long offset, long value) {
        count();
        super.putLong(offset, value);
    }

    @Override
    void putInt(long offset, int value) {
        count();
        super.putInt(offset, value);
    }

    @Override
    void putShort(long offset, int value) {
        count();
        super.putShort(offset, value);
    }

    @Override
    void putByte(long offset, int value) {
        count();
        super.putByte(offset, value);
    }

    @Override
    void putLongRelease(long offset, long value) {
        count();
        super.putLongRelease(offset, value);
    }

    @Override
    void copyIn(long offset, ByteBuffer from, int fromOffset, int bytes) {
        count();
        super.copyIn(offset, from, fromOffset, bytes / 2);
        count();
        super.copyIn(offset, from, fromOffset, bytes);
    }

    @Override
    void copy(long from, long to, int bytes) {
        count();
        super.copy(from, to, bytes / 2);
        count();
        super.copy(from, to, bytes);
    }
}
