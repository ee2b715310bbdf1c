package org.jvrpc.runtime.session;

import java.nio.ByteBuffer;

/** Long bodies on the heap, which are counted. One thread. */
final class HeapBodies implements Bodies {

    /** Those that were not given back. */
    int out;
    /** What {@link #reuseForFetch} has: one of these, once. */
    Body spare;
    /** Those that were made anew, which takes time. */
    int made;
    /** Thrown in the place of memory, when there is one. */
    Throwable refusal;

    record HeapBody(ByteBuffer buffer) implements Body {

        HeapBody(long bytes) {
            this(ByteBuffer.allocate((int) bytes));
        }

        @Override
        public int capacity() {
            return buffer.capacity();
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable t) throws T {
        throw (T) t;
    }

    @Override
    public Body take(long bytes) {
        if (refusal != null) {
            HeapBodies.<RuntimeException>sneak(refusal);
        }
        out++;
        made++;
        return new HeapBody(bytes);
    }

    @Override
    public Body takeForFetch(long bytes) {
        return take(bytes);
    }

    @Override
    public Body reuseForFetch(long bytes) {
        Body reused = spare;
        spare = null;
        out += reused == null ? 0 : 1;
        return reused;
    }

    @Override
    public void give(Body body) {
        out--;
    }

    @Override
    public void close() {
        // nothing is left
    }
}
