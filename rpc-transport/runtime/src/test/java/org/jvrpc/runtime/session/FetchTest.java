package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** Memory for a long body: where it comes from, why there is none, and whose it is. */
class FetchTest {

    private static final int LARGE = 1 << 20;

    private final HeapBodies bodies = new HeapBodies();

    private static final class Plain extends Fetch {

        Plain(int length) {
            super(0, 0, length);
        }

        @Override
        protected void ended() {
            throw new AssertionError("nobody says so");
        }
    }

    @Test
    void memoryThatIsThereIsTakenWhateverItsLength() {
        for (int length : new int[] {1, LARGE + 1}) {
            Body spare = new HeapBodies.HeapBody(length);
            bodies.spare = spare;
            Fetch fetch = new Plain(length);
            assertTrue(fetch.allocateSoon(bodies));
            assertEquals(0, bodies.made);
            assertEquals(length, fetch.length());
            assertSame(spare, fetch.takeBody());
        }
    }

    @Test
    void whatTakesLongToMakeIsLeftToAnotherThread() {
        assertTrue(new Plain(LARGE).allocateSoon(bodies));
        assertEquals(1, bodies.made);
        Fetch fetch = new Plain(LARGE + 1);
        assertFalse(fetch.allocateSoon(bodies));
        assertEquals(1, bodies.made);
        assertFalse(fetch.isOver());
        fetch.allocate(bodies);
        assertEquals(2, bodies.made);
        assertNull(fetch.refusal());
        assertEquals(LARGE + 1, fetch.takeBody().capacity());
    }

    @Test
    void aRefusalIsKeptAsItIsAndIsTheEnd() {
        RpcException refusal = new RpcException(Status.RESOURCE_EXHAUSTED, "planted");
        bodies.refusal = refusal;
        Fetch fetch = new Plain(5);
        assertTrue(fetch.allocateSoon(bodies));
        assertSame(refusal, fetch.refusal());
        assertTrue(fetch.isOver());
        assertNull(fetch.takeBody());
    }

    @Test
    void whateverElseIsThrownIsARefusalToo() {
        for (Throwable thrown : List.of(new IllegalStateException("x"), new OutOfMemoryError("x"))) {
            bodies.refusal = thrown;
            Fetch fetch = new Plain(5);
            fetch.allocate(bodies);
            assertEquals(Status.INTERNAL, fetch.refusal().status());
            assertEquals("memory for a body of bytes=5: " + thrown, fetch.refusal().getMessage());
            assertSame(thrown, fetch.refusal().getCause());
            assertTrue(fetch.isOver());
        }
    }

    @Test
    void oneThatIsRefusedLaterKeepsItsMemoryUntilItIsGivenBackOnce() {
        Fetch fetch = new Plain(5);
        assertTrue(fetch.allocateSoon(bodies));
        assertFalse(fetch.isOver());
        fetch.refuse(new RpcException(Status.CANCELLED, "planted"));
        assertTrue(fetch.isOver());
        assertEquals(1, bodies.out);
        fetch.giveBack(bodies);
        fetch.giveBack(bodies);
        assertEquals(0, bodies.out);
    }

    @Test
    void memoryIsHandedOverOnce() {
        Fetch fetch = new Plain(5);
        fetch.allocate(bodies);
        assertEquals(5, fetch.takeBody().capacity());
        assertNull(fetch.takeBody());
        fetch.giveBack(bodies);
        assertEquals(1, bodies.out);
    }

    @Test
    void itIsOverWhenAllOfItArrived() {
        Fetch fetch = new Plain(5);
        fetch.allocate(bodies);
        assertEquals(5, fetch.left());
        fetch.arrived(3);
        assertEquals(2, fetch.left());
        assertFalse(fetch.isOver());
        fetch.arrived(2);
        assertEquals(0, fetch.left());
        assertTrue(fetch.isOver());
    }
}
