package org.jvrpc.runtime;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.MemoryRegion;

/** Registered memory for one long body, from a {@link BodyPool}. */
final class Body {

    private final MemoryRegion mr;
    private final ByteBuffer buffer;

    Body(MemoryRegion mr) {
        this.mr = mr;
        this.buffer = mr.buffer(0, (int) mr.length());
    }

    MemoryRegion mr() {
        return mr;
    }

    ByteBuffer buffer() {
        return buffer;
    }

    int capacity() {
        return buffer.capacity();
    }
}
