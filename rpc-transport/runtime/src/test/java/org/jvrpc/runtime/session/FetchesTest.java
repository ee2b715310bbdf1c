package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Long bodies by pieces. */
class FetchesTest {

    private static final int LENGTH = 1_000_000;

    private final ReadingLink link = new ReadingLink();
    private final Bodies bodies = new HeapBodies();
    private final Fetches fetches = new Fetches(link, bodies, () -> 0);
    private final List<String> ended = new ArrayList<>();

    private final class Named extends Fetch {
        private final String name;

        Named(String name, int length) {
            super(0, 0, length);
            this.name = name;
        }

        @Override
        protected void ended() {
            ended.add(name);
        }
    }

    private void add(String name, int length) {
        Fetch fetch = new Named(name, length);
        assertTrue(fetch.allocateSoon(bodies));
        fetches.add(fetch);
    }

    @Test
    void piecesAreAsLongAsTheTurnAndCoverTheBody() {
        for (int turn = 1; turn <= Fetches.WHOLE_TURN; turn *= 2) {
            link.lengths.clear();
            add("body", LENGTH);
            while (fetches.poll(turn)) {
                assertTrue(link.lengths.get(link.lengths.size() - 1) <= turn << 13, link.lengths::toString);
            }
            assertTrue(fetches.isEmpty());
            assertEquals(LENGTH, link.lengths.stream().mapToInt(Integer::intValue).sum());
            assertEquals((LENGTH + (turn << 13) - 1) / (turn << 13), link.lengths.size());
        }
    }

    @Test
    void aShortOneOvertakesALongOneAndOneReadIsUnderWayAtATime() {
        add("long", LENGTH);
        add("short", 100);
        link.holds = true;
        for (int i = 0; i < 10; i++) {
            assertFalse(fetches.poll(1));
        }
        assertEquals(1, link.lengths.size());
        link.holds = false;
        while (fetches.poll(1)) {
            // there is more
        }
        assertEquals(List.of("short", "long"), ended);
    }

    @Test
    void whatIsThereWhenTheLinkEndsGivesItsMemoryBack() {
        add("one", 100);
        add("other", 100);
        fetches.clear();
        assertTrue(fetches.isEmpty());
        assertEquals(0, ((HeapBodies) bodies).out);
        assertEquals(List.of(), ended);
    }

    private record HeapBody(ByteBuffer buffer) implements Body {
        @Override
        public int capacity() {
            return buffer.capacity();
        }
    }

    private static final class HeapBodies implements Bodies {
        int out;

        @Override
        public Body take(long bytes) {
            throw new AssertionError("nothing is sent");
        }

        @Override
        public Body takeForFetch(long bytes) {
            out++;
            return new HeapBody(ByteBuffer.allocate((int) bytes));
        }

        @Override
        public Body reuseForFetch(long bytes) {
            return takeForFetch(bytes);
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
}
