package org.jvrpc.api.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a view is kept depends on identity hashes, which differ from run to run: so there are many memories. */
class ViewsTest {

    private static final int MEMORIES = 200;
    /** With so many the places grow twice, and are a third full at most. */
    private static final int PIECES = 20;
    private static final int MOST_ENTRIES = 4096;
    private static final ByteBuffer BYTES = ByteBuffer.allocateDirect(1 << 16);

    private static int same(Views views, ByteBuffer memory, List<ByteBuffer> before) {
        int same = 0;
        for (int i = before.size() - 1; i >= 0; i--) {
            same += views.of(memory, i, 8) == before.get(i) ? 1 : 0;
        }
        return same;
    }

    private static List<ByteBuffer> pieces(Views views, ByteBuffer memory, int count) {
        List<ByteBuffer> pieces = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pieces.add(views.of(memory, i, 8));
        }
        return pieces;
    }

    @Test
    void viewsAreFoundAgainBehindTwoGrowths() {
        int lost = 0;
        for (int i = 0; i < MEMORIES; i++) {
            Views views = new Views(true);
            ByteBuffer memory = BYTES.duplicate();
            lost += PIECES - same(views, memory, pieces(views, memory, PIECES));
        }
        assertTrue(lost <= MEMORIES / 20, "views that were kept and not found: " + lost + " of " + MEMORIES * PIECES);
    }

    @Test
    void noMoreAreKeptThanThereArePlaces() {
        Views views = new Views(true);
        int same = same(views, BYTES, pieces(views, BYTES, 8 * MOST_ENTRIES));
        assertTrue(same <= MOST_ENTRIES, "kept=" + same);
        assertTrue(same > MOST_ENTRIES / 4, "kept=" + same);
    }

    @Test
    void oneViewNeedsFewPlaces() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ByteBuffer[] memories = new ByteBuffer[MEMORIES];
        for (int i = 0; i < MEMORIES; i++) {
            memories[i] = BYTES.duplicate();
        }
        long leastBytes = Long.MAX_VALUE;
        long mostBytes = 0;
        for (int i = -1; i < MEMORIES; i++) { // classes are loaded by the first
            long before = threads.getCurrentThreadAllocatedBytes();
            new Views(true).of(i < 0 ? BYTES : memories[i], 0, 8);
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            leastBytes = i < 0 ? leastBytes : Math.min(leastBytes, bytes);
            mostBytes = i < 0 ? mostBytes : Math.max(mostBytes, bytes);
        }
        assertTrue(mostBytes < Math.min(2000, leastBytes + 150),
                "bytes for one view: " + leastBytes + " to " + mostBytes);
    }

    @Test
    void aViewIsOfItsPieceAlone() {
        Views views = new Views(false);
        ByteBuffer memory = ByteBuffer.allocateDirect(64);
        ByteBuffer view = views.of(memory, 8, 4);
        view.position(3).limit(3);
        assertSame(view, views.of(memory, 8, 4));
        assertEquals(0, view.position());
        assertEquals(4, view.limit());
        view.putInt(0, 0x01020304);
        assertEquals(0x0102030400000000L, memory.getLong(8));
        assertNotSame(view, views.of(memory, 9, 4));
        assertNotSame(view, views.of(memory, 8, 5));
        assertNotSame(view, views.of(memory.duplicate(), 8, 4));
    }
}
