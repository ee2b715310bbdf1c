package org.jvrpc.runtime.session;

import java.nio.ByteBuffer;

/** Memory for one long body, from {@link Bodies}. */
public interface Body {

    /** Returns the bytes, from 0 to the capacity. */
    ByteBuffer buffer();

    int capacity();

    /**
     * Has what is sent begin at an offset, if the memory can.
     *
     * @return the offset, 0 where it cannot
     */
    default int beginAt(int offset) {
        return 0;
    }
}
