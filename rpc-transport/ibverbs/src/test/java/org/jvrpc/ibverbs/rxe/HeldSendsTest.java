package org.jvrpc.ibverbs.rxe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sends that are held back until the kernel, which the test plays, is done with those before. */
final class HeldSendsTest {

    private static final int LOG2_BYTES = 9;
    private static final int DEPTH = 8;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(RxeQueue.BYTES + (2 * DEPTH << LOG2_BYTES) + 64)
            .alignedSlice(64).order(ByteOrder.nativeOrder());
    private RxeQueue ring;
    private RxeSendQueue sends;
    private int rings;

    @BeforeEach
    void make() {
        make(Long.MAX_VALUE);
    }

    private void make(long holdNs) {
        memory.putInt(RxeQueue.LOG2_ELEM_SIZE, LOG2_BYTES).putInt(RxeQueue.INDEX_MASK, 2 * DEPTH - 1);
        ring = new RxeQueue(memory);
        sends = new RxeSendQueue(ring, 1, DEPTH, () -> {
            rings++;
            return true;
        }, holdNs);
    }

    private void write() {
        sends.write(rings, new long[RxeSendWqe.W_SGES], 0, 0);
    }

    @Test
    void whoPostsDoesNotWaitAndThePollGoesOn() {
        write();
        assertTrue(sends.hold(), "the kernel is not done with the first");
        assertEquals(1, ring.producer(), "but was told of it");
        write();
        assertTrue(sends.ring(), "taken");
        assertEquals(1, ring.producer(), "held back");
        assertFalse(sends.goOn(), "the kernel is not done yet");
        write();
        assertTrue(sends.ring());
        assertEquals(1, ring.producer(), "what comes behind is held back, too");
        ring.consume(1);
        assertTrue(sends.goOn());
        assertEquals(3, ring.producer());
        assertEquals(2, rings);
        write();
        assertTrue(sends.ring());
        assertEquals(4, ring.producer(), "nothing is held back any more");
    }

    @Test
    void theNextPostGoesOn() {
        write();
        assertTrue(sends.hold());
        write();
        sends.ring();
        ring.consume(1);
        write();
        assertTrue(sends.ring());
        assertEquals(3, ring.producer());
    }

    @Test
    void nothingIsHeldBackBehindWhatIsDone() {
        write();
        sends.ring();
        ring.consume(1);
        assertFalse(sends.hold());
        write();
        sends.ring();
        assertEquals(2, ring.producer());
    }

    @Test
    void aListThatIsGivenUpTakesNothingBackThatWasAccepted() {
        write();
        sends.hold();
        write();
        sends.ring();
        write();
        sends.rollBack();
        ring.consume(1);
        assertTrue(sends.goOn());
        assertEquals(2, ring.producer());
    }

    @Test
    void whatIsNeverAcknowledgedHoldsOthersBackForATimeOnly() {
        make(0);
        write();
        assertTrue(sends.hold());
        write();
        sends.ring();
        assertEquals(2, ring.producer(), "held back though the time was over");
    }
}
