package org.jvrpc.softrnic.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.SharedReceiveWqe;
import org.jvrpc.softrnic.memory.OneSlab;
import org.jvrpc.softrnic.memory.Slab;

/** What an owner's copy of an SRQ tells of one that is no more. */
final class SharedSurvivalTest {

    private static final int COPY = 256;
    private static final int ENTRIES = 4;
    private static final int STRIDE = 64;
    private static final int QPN = 77;
    private static final int FIRST = 4096;
    private static final int SECOND = 8192;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(16384).alignedSlice(128)
            .order(ByteOrder.LITTLE_ENDIAN);
    private final Slab slab = Slab.wrap(memory, 1);
    private int posts;

    /** Makes a context apart from its owner's copy. */
    private SharedReceives open(int at, long state) {
        SrqContext.own(memory, at, slab.base() + COPY);
        SrqContext.write(memory, at, 5, 1, ENTRIES, STRIDE);
        SrqContext.begin(memory, at, SrqContext.taken(state), SrqContext.next(state));
        return new SharedReceives(new OneSlab(slab), slab.base() + at);
    }

    private void link(int index, int next) {
        BigEndian.putShort(memory, COPY + SrqContext.ring(ENTRIES) + index * STRIDE + SharedReceiveWqe.NEXT, next);
    }

    private void post(int count) {
        posts += count;
        BigEndian.putIntRelease(memory, COPY + SrqContext.RECORD + DoorbellRecord.RECEIVE,
                posts & DoorbellRecord.COUNTER_MASK);
    }

    private long survived() {
        return SrqContext.survived(memory, COPY, ENTRIES);
    }

    @ParameterizedTest(name = "taken={0}")
    @ValueSource(ints = {0, 1, 2, 3})
    void anotherOneGoesOnBehindWhatWasTaken(int taken) {
        int[] order = {0, 2, 1, 3};
        link(0, 2);
        link(2, 1);
        link(1, 3);
        SharedReceives before = open(FIRST, 0);
        post(3);
        for (int i = 0; i < taken; i++) {
            assertEquals(order[i], before.take(QPN));
        }
        SharedReceives after = open(SECOND, survived());
        for (int i = taken; i < 3; i++) {
            assertEquals(order[i], after.take(QPN), "receive=" + i);
            assertEquals(SrqContext.owner(i, QPN), SrqContext.owner(memory, COPY, order[i]));
        }
        assertEquals(-1, after.take(QPN), "more than were posted");
        post(1);
        assertEquals(order[3], after.take(QPN));
    }

    @Test
    void aReceiveThatWasAnnouncedAndHasNoTakerIsTakenNext() {
        link(0, 1);
        link(1, 2);
        SharedReceives before = open(FIRST, 0);
        post(2);
        before.take(QPN);
        before.take(QPN);
        SrqContext.mirror(memory, COPY, 1, 0); // its taker died between the two
        assertEquals(SrqContext.state(1, 1), survived());
    }

    @Test
    void aLinkThatIsWrittenAnewAfterItsReceiveWasTakenIsNotFollowed() {
        link(0, 1);
        SharedReceives before = open(FIRST, 0);
        post(1);
        before.take(QPN);
        link(0, 3); // it was completed, and posted again
        assertEquals(SrqContext.state(1, 1), survived());
    }

    @Test
    void whatTheOwnerWritesThereStaysWithinTheQueue() {
        memory.putLong(COPY + 264, -1);
        assertEquals(SrqContext.state(-1, ENTRIES - 1), survived());
    }
}
