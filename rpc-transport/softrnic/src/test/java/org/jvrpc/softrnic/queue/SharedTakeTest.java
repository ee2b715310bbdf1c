package org.jvrpc.softrnic.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.SharedReceiveWqe;
import org.jvrpc.softrnic.memory.OneSlab;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** The memory of an SRQ as those who take receives from it see it. */
final class SharedTakeTest {

    private static final int AT = 256;
    private static final int ENTRIES = 4;
    private static final int STRIDE = 64;
    private static final int QPN = 0x123456;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(8192).alignedSlice(128)
            .order(ByteOrder.LITTLE_ENDIAN);
    private final Slab slab = Slab.wrap(memory, 1);

    private SharedReceives make() {
        write(ENTRIES, STRIDE);
        for (int i = 0; i < ENTRIES; i++) { // each is followed by the one two before it
            BigEndian.putShort(memory, ring(ENTRIES) + i * STRIDE + SharedReceiveWqe.NEXT, (i + 3) % ENTRIES);
        }
        return open();
    }

    private void write(int entries, int stride) {
        SrqContext.write(memory, AT, 77, 5, entries, stride);
    }

    private SharedReceives open() {
        return new SharedReceives(new OneSlab(slab), slab.base() + AT);
    }

    private static int ring(int entries) {
        return AT + SrqContext.ring(entries);
    }

    private void posted(int counter) {
        BigEndian.putIntRelease(memory, AT + SrqContext.RECORD + DoorbellRecord.RECEIVE,
                counter & DoorbellRecord.COUNTER_MASK);
    }

    @Test
    void itsWqesLieBehindTheOwnersAtAMultipleOf64() {
        assertEquals(384 + 64, SrqContext.ring(8));
        assertEquals(384 + 64, SrqContext.ring(1));
        assertEquals(384 + 128, SrqContext.ring(9));
        SharedReceives receives = make();
        assertEquals(77, receives.number());
        assertEquals(5, receives.pd());
        assertEquals(48, receives.dataBytes());
        assertEquals(ring(ENTRIES) + 2 * STRIDE + 16, receives.data(2));
    }

    @Test
    void receivesAreTakenInTheOrderOfTheirLinksUntilAllThatWerePostedAre() {
        SharedReceives receives = make();
        assertEquals(-1, receives.take(QPN), "none is posted");
        posted(3);
        int[] order = {0, 3, 2};
        for (int turn = 0; turn < 3; turn++) {
            assertEquals(order[turn], receives.take(QPN + turn));
            long owner = SrqContext.owner(memory, AT, order[turn]);
            assertEquals(QPN + turn, SrqContext.qpn(owner));
            assertEquals(turn, SrqContext.turn(owner));
            assertFalse(SrqContext.isGivenUp(owner));
        }
        assertEquals(-1, receives.take(QPN));
        assertEquals(3, SrqContext.taken(SrqContext.state(memory, AT)));
        posted(4);
        assertEquals(1, receives.take(QPN));
    }

    @Test
    void theCounterComesRound() {
        SharedReceives receives = make();
        for (int turn = 0; turn < 70_000; turn++) {
            posted(turn + 1);
            assertEquals((4 - turn % 4) % 4, receives.take(QPN), "turn=" + turn);
            assertEquals(-1, receives.take(QPN), "turn=" + turn);
        }
    }

    @Test
    void givingUpLeavesWhoTookItAndWhen() {
        SharedReceives receives = make();
        posted(2);
        receives.take(QPN);
        receives.take(QPN);
        receives.giveUp(3);
        long owner = SrqContext.owner(memory, AT, 3);
        assertTrue(SrqContext.isGivenUp(owner));
        assertEquals(QPN, SrqContext.qpn(owner));
        assertEquals(1, SrqContext.turn(owner));
        assertFalse(SrqContext.isGivenUp(SrqContext.owner(memory, AT, 0)));
    }

    @Test
    void whoComesNextMovesTheQueueOnForOneWhoStopped() {
        SharedReceives receives = make();
        posted(2);
        assertTrue(SrqContext.take(memory, AT, 0, SrqContext.owner(memory, AT, 0), SrqContext.owner(0, 9)));
        assertEquals(3, receives.take(QPN));
        assertEquals(-1, receives.take(QPN));
    }

    @Test
    void linksAndIndicesOfAPeerCannotLeaveTheRing() {
        SharedReceives receives = make();
        BigEndian.putShort(memory, ring(ENTRIES) + SharedReceiveWqe.NEXT, 0xfffe);
        posted(2);
        assertEquals(0, receives.take(QPN));
        assertEquals(2, receives.take(QPN));
    }

    @ParameterizedTest
    @CsvSource({"2,32", "8,512", "64,64"})
    void shapesWithinTheLimitsAreTaken(int entries, int stride) {
        write(entries, stride);
        assertEquals(stride - 16, open().dataBytes());
    }

    @ParameterizedTest
    @CsvSource({"1,64", "0,64", "6,64", "-8,64", "65536,64", "4,16", "4,48", "4,1024", "4,0", "128,64", "32768,64"})
    void shapesBeyondTheLimitsAreRefused(int entries, int stride) {
        write(entries, stride);
        String message = assertThrows(VerbsException.class, this::open).getMessage();
        assertTrue(message.contains("entries=" + entries + " stride=" + stride), message);
    }

    @Test
    void thirtyTwoThousandEntriesAreTheMost() {
        ByteBuffer large = ByteBuffer.allocateDirect(SrqContext.ring(1 << 16) + (1 << 16) * 32);
        OneSlab space = new OneSlab(Slab.wrap(large, 1));
        SrqContext.write(large, 0, 1, 1, 1 << 15, 32);
        assertEquals(16, new SharedReceives(space, space.slab().base()).dataBytes());
        SrqContext.write(large, 0, 1, 1, 1 << 16, 32);
        assertThrows(VerbsException.class, () -> new SharedReceives(space, space.slab().base()));
    }

    @ParameterizedTest
    @CsvSource({"1,16,true", "4,256,true", "0,16,false", "3,16,false", "-2147483648,16,false", "4,8,false",
        "4,48,false", "4,512,false"})
    void aQueuePairsReceiveRingHasUpToSixteenSegmentsAWqe(int entries, int stride, boolean sane) {
        QpContext.write(memory, AT, 77, 5, entries, stride, 64);
        assertEquals(sane, QpContext.isSane(memory, AT, entries, stride));
        assertFalse(QpContext.isSane(memory, AT + 8, entries, stride), "nothing is there");
    }

    @Test
    void aStateThatIsNoneIsError() {
        QueuePairState[] states = QueuePairState.values();
        for (int word = -1; word <= states.length; word++) {
            memory.putInt(AT + 8, word);
            assertEquals(word < 0 || word == states.length ? QueuePairState.ERR : states[word],
                    QpContext.state(memory, AT));
        }
    }

    @Test
    void whatIsNoSrqIsRefused() {
        assertThrows(VerbsException.class, this::open, "nothing is there");
        make();
        SrqContext.write(memory, AT + 64, 77, 5, ENTRIES, STRIDE);
        assertThrows(VerbsException.class, () -> new SharedReceives(new OneSlab(slab), slab.base() + AT + 64));
        assertThrows(VerbsException.class, () -> new SharedReceives(new OneSlab(slab), slab.base() + (1 << 20)));
    }

    @Test
    void aRingMayEndWithItsSlabAndNoByteBehind() {
        int bytes = SrqContext.ring(ENTRIES) + ENTRIES * STRIDE;
        SrqContext.write(memory, 0, 1, 1, ENTRIES, STRIDE);
        Slab tight = Slab.wrap(memory.slice(0, bytes), 1);
        assertEquals(48, new SharedReceives(new OneSlab(tight), tight.base()).dataBytes());
        Slab shorter = Slab.wrap(memory.slice(0, bytes - 1), 1);
        assertThrows(VerbsException.class, () -> new SharedReceives(new OneSlab(shorter), shorter.base()));
    }
}
