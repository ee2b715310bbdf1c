package org.jvrpc.api.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Buffers over pieces of memory, each of its piece alone: whoever moves their bounds meets no other byte. A buffer's
 * bounds are for ever, so one is made for each place and length, and found again when the same comes again, as it does
 * in session memory, whose receives take turns. One thread.
 */
@SuppressWarnings("NullAway.Init") // made at the first use
final class Views {

    private static final int FIRST_ENTRIES = 4;
    /** A stream's window of 256 KiB has 2,340 places for elements of 100 bytes. */
    private static final int MOST_ENTRIES = 4096;
    private static final int PROBES = 8;
    /** A view of more bytes is made anew: its object is nothing beside them, and would keep their memory mapped. */
    private static final int LONGEST_KEPT = 1 << 14;

    private final boolean readOnly;
    private int longestKept = LONGEST_KEPT;
    private ByteBuffer[] memories;
    private ByteBuffer[] views;
    private int[] starts;

    Views(boolean readOnly) {
        this.readOnly = readOnly;
    }

    /** Keeps views of any length. */
    void keepLong() {
        longestKept = Integer.MAX_VALUE;
    }

    /** Returns {@code memory[start, start + length)} as a big-endian buffer from 0 to {@code length}. */
    ByteBuffer of(ByteBuffer memory, int start, int length) {
        ByteBuffer view = length > longestKept ? make(memory, start, length) : kept(memory, start, length);
        return view.order(ByteOrder.BIG_ENDIAN).clear();
    }

    private ByteBuffer make(ByteBuffer memory, int start, int length) {
        ByteBuffer slice = memory.slice(start, length);
        return readOnly ? slice.asReadOnlyBuffer() : slice;
    }

    private ByteBuffer kept(ByteBuffer memory, int start, int length) {
        if (views == null) {
            resize(FIRST_ENTRIES);
        }
        int at = find(memory, start, length);
        while (at < 0 && views.length < MOST_ENTRIES) {
            grow();
            at = find(memory, start, length);
        }
        if (at < 0) {
            at = home(memory, start, length); // crowded out
            views[at] = null;
        }
        if (views[at] == null) {
            put(at, memory, start, make(memory, start, length));
        }
        return views[at];
    }

    /** Returns where the view is or may be put; -1 when its places are taken by others. */
    private int find(ByteBuffer memory, int start, int length) {
        int mask = views.length - 1;
        int at = home(memory, start, length);
        for (int i = 0; i < Math.min(PROBES, views.length); i++, at = at + 1 & mask) {
            ByteBuffer view = views[at];
            if (view == null || starts[at] == start && memories[at] == memory && view.capacity() == length) {
                return at;
            }
        }
        return -1;
    }

    private int home(ByteBuffer memory, int start, int length) {
        int hash = (System.identityHashCode(memory) * 31 + start) * 31 + length;
        return (hash * 0x9e3779b9 >>> 16) & views.length - 1;
    }

    private void put(int at, ByteBuffer memory, int start, ByteBuffer view) {
        memories[at] = memory;
        starts[at] = start;
        views[at] = view;
    }

    private void resize(int entries) {
        memories = new ByteBuffer[entries];
        views = new ByteBuffer[entries];
        starts = new int[entries];
    }

    private void grow() {
        ByteBuffer[] oldMemories = memories;
        ByteBuffer[] oldViews = views;
        int[] oldStarts = starts;
        resize(4 * oldViews.length);
        for (int i = 0; i < oldViews.length; i++) {
            if (oldViews[i] != null) {
                int at = find(oldMemories[i], oldStarts[i], oldViews[i].capacity());
                if (at >= 0) {
                    put(at, oldMemories[i], oldStarts[i], oldViews[i]);
                }
            }
        }
    }
}
