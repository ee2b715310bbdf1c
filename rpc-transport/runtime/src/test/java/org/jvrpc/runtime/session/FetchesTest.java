package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** Long bodies by pieces. */
class FetchesTest {

    private static final int LENGTH = 1_000_000;

    private final Reads link = new Reads();
    private final HeapBodies bodies = new HeapBodies();
    private long nowNs;
    private final Fetches fetches = new Fetches(link, bodies, () -> nowNs);
    private final List<String> ended = new ArrayList<>();

    /** Has a READ complete once it is looked for, and what was asked for. */
    private static final class Reads extends ReadingLink {

        final List<String> asked = new ArrayList<>();
        boolean full;
        private boolean reaped;

        @Override
        public long beginFetch(Body into, int offset, int length, long source, int key) {
            if (full) {
                asked.add("no room for " + length);
                return 0;
            }
            asked.add(offset + "+" + length + " of " + source + " key " + key);
            reaped = false;
            return super.beginFetch(into, offset, length, source, key);
        }

        @Override
        public boolean isSent(long number) {
            return reaped && super.isSent(number);
        }

        @Override
        public void reap() {
            reaped = true;
        }

        @Override
        public long fetchLimitNs(int length) {
            return length * 1_000_000L;
        }
    }

    private final class Named extends Fetch {
        private final String name;
        private boolean wanted = true;

        Named(String name, int length) {
            super(7000, 77, length);
            this.name = name;
        }

        @Override
        protected boolean isWanted() {
            return wanted;
        }

        @Override
        protected void ended() {
            ended.add(name);
        }
    }

    private Named add(String name, int length) {
        Named fetch = new Named(name, length);
        fetch.allocate(bodies);
        fetches.add(fetch);
        return fetch;
    }

    /** Polls until a piece is there. */
    private boolean come(int turn) {
        return fetches.poll(turn) || fetches.poll(turn);
    }

    @Test
    void piecesAreAsLongAsTheTurnAndCoverTheBody() {
        for (int turn = 1; turn <= Fetches.WHOLE_TURN; turn *= 2) {
            link.lengths.clear();
            add("body", LENGTH);
            while (come(turn)) {
                assertTrue(link.lengths.get(link.lengths.size() - 1) <= turn << 13, link.lengths::toString);
            }
            assertTrue(fetches.isEmpty());
            assertEquals(LENGTH, link.lengths.stream().mapToInt(Integer::intValue).sum());
            assertEquals((LENGTH + (turn << 13) - 1) / (turn << 13), link.lengths.size());
        }
    }

    @Test
    void oneThatNeedsNoMemoryEndsInItsTurnWhereThatIsLongEnough() {
        add("other", 5);
        Named far = new Named("far", 8192);
        far.stayFar();
        fetches.add(far);
        assertTrue(come(1));
        assertTrue(fetches.poll(1));
        assertEquals(List.of("other", "far"), ended);
        assertEquals(List.of("0+5 of 7000 key 77"), link.asked);
        assertEquals(1, bodies.made);
    }

    @Test
    void oneThatNeedsNoMemoryGetsSomeWhereItsTurnIsTooShort() {
        Named far = new Named("far", 8193);
        far.stayFar();
        fetches.add(far);
        while (come(1)) {
            // there is more
        }
        assertEquals(List.of("0+8192 of 7000 key 77", "8192+1 of 7000 key 77"), link.asked);
        assertEquals(List.of("far"), ended);
        assertEquals(1, bodies.made);
    }

    @Test
    void oneThatGetsNoMemoryWhenItNeedsSomeIsRefused() {
        Named far = new Named("far", 8193);
        far.stayFar();
        fetches.add(far);
        bodies.refusal = new RpcException(Status.RESOURCE_EXHAUSTED, "planted");
        assertTrue(fetches.poll(1));
        assertEquals(List.of("far"), ended);
        assertEquals(bodies.refusal, far.refusal());
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
        while (come(1)) {
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
        assertEquals(0, bodies.out);
        assertEquals(List.of(), ended);
    }

    @Test
    void pollsSayWhetherAPieceCame() {
        assertFalse(fetches.poll(1));
        assertTrue(fetches.isEmpty());
        add("body", 8193);
        assertFalse(fetches.isEmpty());
        assertFalse(fetches.poll(1), "it began");
        assertTrue(fetches.poll(1), "it is there");
        assertFalse(fetches.poll(1));
        assertTrue(fetches.poll(1));
        assertEquals(List.of("0+8192 of 7000 key 77", "8192+1 of 7000 key 77"), link.asked);
        assertEquals(List.of("body"), ended);
        assertTrue(fetches.isEmpty());
        assertEquals(1, bodies.out, "the memory is whose the body is");
    }

    @Test
    void aReadHasSoMuchTimeAndTheLinkIsGivenUpAfterIt() {
        add("body", 100);
        link.holds = true;
        nowNs = 50;
        assertFalse(fetches.poll(1));
        nowNs += 100_000_000;
        assertFalse(fetches.poll(1));
        assertNull(link.failure(), "exactly as long as it may take");
        nowNs++;
        assertFalse(fetches.poll(1));
        assertEquals("READ of bytes=100 did not complete within ms=100", link.failure());
        assertEquals(List.of(), ended);
    }

    @Test
    void timeCountsFromTheFirstTryWhereThereIsNoRoomAndBeginsAnewWithEachPiece() {
        add("body", 8193);
        link.full = true;
        assertFalse(fetches.poll(1));
        nowNs = 8192_000_000L;
        assertFalse(fetches.poll(1));
        assertNull(link.failure());
        link.full = false;
        assertTrue(come(1));
        nowNs += 1_000_000;
        link.full = true;
        assertFalse(fetches.poll(1));
        nowNs += 1_000_000;
        assertFalse(fetches.poll(1));
        assertNull(link.failure());
        nowNs++;
        assertFalse(fetches.poll(1));
        assertEquals("READ of bytes=1 did not complete within ms=1", link.failure());
    }

    @Test
    void oneThatIsRefusedEndsInItsTurnWithoutARead() {
        bodies.refusal = new RpcException(Status.RESOURCE_EXHAUSTED, "planted");
        add("refused", 100);
        bodies.refusal = null;
        add("other", 5);
        assertTrue(fetches.poll(1));
        assertEquals(List.of("refused"), ended);
        assertTrue(come(1));
        assertEquals(List.of("0+5 of 7000 key 77"), link.asked);
        assertEquals(List.of("refused", "other"), ended);
    }

    @Test
    void oneThatNobodyWantsEndsAfterThePieceThatIsUnderWay() {
        Named fetch = add("unwanted", LENGTH);
        link.holds = true;
        assertFalse(fetches.poll(1));
        fetch.wanted = false;
        assertFalse(fetches.poll(1), "its memory is still written to");
        assertEquals(List.of(), ended);
        link.holds = false;
        assertTrue(fetches.poll(1));
        assertEquals(List.of("unwanted"), ended);
        assertEquals(1, link.lengths.size());
    }

    @Test
    void aPieceThatFoundNoRoomIsNotTheNextBodys() {
        Named fetch = add("unwanted", 100);
        link.full = true;
        assertFalse(fetches.poll(1));
        fetch.wanted = false;
        assertTrue(fetches.poll(1));
        link.full = false;
        add("other", 5);
        assertTrue(come(1));
        assertEquals(List.of("no room for 100", "0+5 of 7000 key 77"), link.asked);
    }
}
