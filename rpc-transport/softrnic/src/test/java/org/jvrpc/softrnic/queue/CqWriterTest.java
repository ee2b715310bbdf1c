package org.jvrpc.softrnic.queue;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.Syndrome;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.host.ProcessId;

/** A producer of a CQ by itself: which slots it fills, with what, and whom it wakes. */
final class CqWriterTest extends CqFixture {

    /** No process has such a number. */
    private static final int DEAD = 0x3ffff0;

    private void consume(int consumed) {
        BigEndian.putIntRelease(memory, AT + CqContext.RECORD + DoorbellRecord.CONSUMER,
                consumed & DoorbellRecord.CONSUMER_MASK);
    }

    private int flags() {
        return CqContext.flags(memory, AT);
    }

    @ParameterizedTest
    @CsvSource({"SHARED,64", "SHARED,128", "EXCLUSIVE,64", "EXCLUSIVE,128", "CROSS_CHANNEL,64", "CROSS_CHANNEL,128"})
    void slotsAreFilledOneAfterTheOtherRoundAndRound(Kind kind, int cqeBytes) {
        CqWriter writer = make(kind, cqeBytes, false);
        for (int i = 0; i < 600 * ENTRIES; i++) { // more laps than their 8 bits tell apart
            int at = writer.claim();
            assertEquals(AT + CqContext.RING + (i % ENTRIES + 1) * cqeBytes - 64, at, "i=" + i);
            BigEndian.putInt(writer.memory(), at + Cqe.BYTE_COUNT, i);
            writer.publish(at, 9, i, Cqe.RESP_SEND, Cqe.INLINE_32);
            long tail = tail(i, cqeBytes);
            assertEquals(Cqe.tail(9, QPN, i, i / ENTRIES, Cqe.RESP_SEND, Cqe.INLINE_32), tail, "i=" + i);
            assertTrue(Cqe.valid(tail, i / ENTRIES), "i=" + i);
            consume(i + 1);
        }
        assertEquals(0, flags());
        assertEquals(kind == Kind.CROSS_CHANNEL ? 600 * ENTRIES : 0, CqContext.produced(memory, AT));
    }

    @ParameterizedTest
    @CsvSource({"64,1", "128,1", "64,3", "128,3"})
    void theNextLinesAreFetchedByStoresThatMeanNothing(int cqeBytes, int count) {
        CqWriter writer = make(Kind.EXCLUSIVE, cqeBytes, false);
        int known = 0; // of what was consumed: it looks when it finds the ring full
        for (int i = 0; i < 3 * ENTRIES; i++) {
            for (int entry = 0; entry < ENTRIES; entry++) {
                memory.put(vendorError(entry, cqeBytes), (byte) 7);
            }
            byte[] before = bytes();
            for (int next = i; next < Math.min(i + count, known + ENTRIES); next++) {
                before[vendorError(next, cqeBytes)] = 0;
            }
            writer.fetchNext(count);
            assertArrayEquals(before, bytes(), "i=" + i);
            known = i == known + ENTRIES ? i : known;
            writer.publish(writer.claim(), 0, i, Cqe.RESP_SEND, 0);
            consume(i + 1);
        }
    }

    private static int vendorError(int index, int cqeBytes) {
        return AT + CqContext.RING + (index % ENTRIES + 1) * cqeBytes - 64 + Cqe.VENDOR_ERROR;
    }

    @Test
    void noLineIsFetchedOfAnEntryThatMayNotHaveBeenRead() {
        CqWriter writer = make(Kind.EXCLUSIVE, 64, false);
        for (int i = 0; i < ENTRIES; i++) {
            writer.error(writer.claim(), i, Cqe.RESP_ERR, WcStatus.WR_FLUSH_ERR, 7);
        }
        writer.fetchNext(1);
        assertEquals(7, memory.get(vendorError(0, 64)), "the ring is full");
        consume(1);
        writer.fetchNext(1);
        assertEquals(7, memory.get(vendorError(0, 64)), "what it does not know of is no room");
    }

    @Test
    void bothLinesOfAnEntryAreFetchedBehindAMessageOfTwo() {
        CqWriter writer = make(Kind.EXCLUSIVE, 128, false);
        int first = writer.claim();
        memory.put(first + Cqe.BYTES, (byte) 7);
        writer.publish(first, 0, 0, Cqe.RESP_SEND, Cqe.INLINE_64);
        writer.fetchNext(1);
        assertEquals(0, memory.get(first + Cqe.BYTES), "the next one's first line");
        writer.publishLine(writer.claim(), 1, 40);
        memory.put(first + Cqe.BYTES + 128, (byte) 7);
        writer.fetchNext(1);
        assertEquals(7, memory.get(first + Cqe.BYTES + 128), "behind a message of one line");
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"SHARED", "CROSS_CHANNEL"})
    void noLineIsFetchedThatOthersMayFill(Kind kind) {
        CqWriter writer = make(kind, 64, false);
        memory.put(vendorError(0, 64), (byte) 7);
        byte[] before = bytes();
        writer.fetchNext(1);
        assertArrayEquals(before, bytes());
    }

    private byte[] bytes() {
        byte[] all = new byte[memory.capacity()];
        memory.get(0, all);
        return all;
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"SHARED", "EXCLUSIVE"})
    void aFullRingIsAnOverrunAndItsFlagIsRaised(Kind kind) {
        CqWriter writer = make(kind, 64, false);
        consume(3);
        for (int i = 0; i < 3; i++) {
            assertTrue(writer.succeed(1, i, 0));
        }
        for (int i = 0; i < ENTRIES; i++) {
            assertTrue(writer.succeed(1, i, 0), "i=" + i);
            assertEquals(0, flags());
        }
        CqContext.arm(memory, AT);
        assertEquals(-1, writer.claim());
        assertEquals(CqContext.OVERRAN, flags());
        assertEquals(1, woken, "the consumer is told");
        assertFalse(writer.succeed(1, 0, 0));
        consume(4);
        assertTrue(writer.succeed(1, 0, 0), "one slot is free");
        assertFalse(writer.succeed(1, 0, 0));
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"SHARED", "EXCLUSIVE"})
    void indicesComeRoundWithTheConsumersCounter(Kind kind) {
        CqWriter writer = make(kind, 64, false);
        for (int i = 0; i < 3 << 16; i++) {
            consume(i);
            assertTrue(writer.claim() >= 0, "i=" + i);
            writer.publish(AT + CqContext.RING + i % ENTRIES * 64, 0, i, Cqe.RESP_SEND, 0);
        }
        assertEquals(0, flags());
    }

    @Test
    void aProducerThatWasIdleGoesOnWhereTheConsumerIs() {
        CqWriter writer = make(Kind.EXCLUSIVE, 64, false);
        for (int i = 0; i < ENTRIES; i++) {
            assertTrue(writer.succeed(1, i, 0));
        }
        consume(20); // an earlier producer's completions, too
        for (int i = 20; i < 20 + ENTRIES; i++) {
            assertEquals(AT + CqContext.RING + i % ENTRIES * 64, writer.claim(), "i=" + i);
        }
        assertEquals(-1, writer.claim());
    }

    /** A shared CQ that so many completions were made in, all of which are consumed. */
    private CqWriter makeAfter(int completions) {
        CqWriter writer = make(Kind.SHARED, 64, false);
        for (int i = completions - ENTRIES; i != completions; i++) {
            int at = AT + CqContext.RING + (i & ENTRIES - 1) * 64;
            BigEndian.putLong(memory, at + Cqe.TAIL, Cqe.tail(0, QPN, 0, i >>> 3, Cqe.RESP_SEND, 0));
        }
        memory.putInt(AT + 256, completions); // the hint
        consume(completions);
        return writer;
    }

    @Test
    void aSharedRingIsFullToTheSlotWhereIndicesTurnNegative() {
        for (int before = Integer.MAX_VALUE - 2 * ENTRIES; before != Integer.MIN_VALUE + ENTRIES; before++) {
            CqWriter writer = makeAfter(before);
            for (int i = 0; i < ENTRIES; i++) {
                int slot = before + i & ENTRIES - 1;
                assertEquals(AT + CqContext.RING + slot * 64, writer.claim(), "before=" + before + " i=" + i);
            }
            assertEquals(-1, writer.claim(), "before=" + before);
        }
    }

    @Test
    void anExclusiveRingIsFullToTheSlotThroughoutItsIndices() {
        CqWriter writer = make(Kind.EXCLUSIVE, 64, false);
        for (long before = 0; before <= 1L << 32; before += 1 << 23) {
            consume((int) before); // ahead of this producer: an earlier one's completions, too
            for (int i = 0; i < ENTRIES; i++) {
                assertEquals(AT + CqContext.RING + i * 64, writer.claim(), "before=" + before + " i=" + i);
            }
            assertEquals(-1, writer.claim(), "before=" + before);
        }
    }

    @Test
    void claimsThatOthersHaveNotMovedTheHintForAreSteppedOver() {
        CqWriter writer = make(Kind.SHARED, 64, false);
        for (int i = 0; i < ENTRIES - 1; i++) {
            BigEndian.putLong(memory, AT + CqContext.RING + i * 64 + Cqe.TAIL, Cqe.claim(1, 5, 0));
        }
        assertEquals(AT + CqContext.RING + (ENTRIES - 1) * 64, writer.claim());
        assertEquals(ENTRIES, CqContext.hint(memory, AT), "who comes next begins behind it");
    }

    @Test
    void aClaimOfTheLastSlotIsFound() {
        CqWriter writer = make(Kind.SHARED, 64, false);
        assertFalse(writer.isExclusive());
        for (int i = 0; i < ENTRIES - 1; i++) {
            assertTrue(writer.succeed(1, i, 0));
        }
        assertFalse(writer.hasClaims(ProcessId.NUMBER));
        writer.claim();
        assertTrue(writer.hasClaims(ProcessId.NUMBER));
    }

    @Test
    void aCrossChannelRingIsNeverFull() {
        CqWriter writer = make(Kind.CROSS_CHANNEL, 64, false);
        for (int i = 0; i < 3 * ENTRIES; i++) {
            assertTrue(writer.succeed(1, i, 0));
            assertEquals(i + 1, CqContext.produced(memory, AT));
        }
        assertTrue(writer(5, false).succeed(1, 0, 0));
        assertEquals(3 * ENTRIES + 1, CqContext.produced(memory, AT), "the next producer goes on");
        assertEquals(5, Cqe.qpn(tail(3 * ENTRIES, 64)));
    }

    @Test
    void producersOfASharedCqNeverFillOneSlotTwice() {
        CqWriter one = make(Kind.SHARED, 64, false);
        CqWriter two = writer(5, false);
        int first = one.claim();
        int second = two.claim();
        int third = one.claim();
        assertEquals(first + 64, second);
        assertEquals(second + 64, third);
        assertEquals(Cqe.claim(ProcessId.NUMBER, QPN, 0), tail(0, 64), "who has it");
        assertEquals(Cqe.claim(ProcessId.NUMBER, 5, 0), tail(1, 64), "who has it");
        two.publish(second, 0, 1, Cqe.RESP_SEND, 0);
        assertEquals(3, CqContext.hint(memory, AT));
    }

    @Test
    void successAndErrorsSayWhatHappened() {
        CqWriter writer = make(Kind.EXCLUSIVE, 64, false);
        memory.put(AT + CqContext.RING + 64 + Cqe.SRQN, (byte) 0xee);
        assertTrue(writer.succeed(8, 0x12345, 4711));
        assertEquals(4711, BigEndian.getInt(memory, AT + CqContext.RING + Cqe.BYTE_COUNT));
        assertEquals(Cqe.tail(8, QPN, 0x2345, 0, Cqe.REQ, 0), tail(0, 64));
        writer.fail(7, Cqe.REQ_ERR, WcStatus.REM_ACCESS_ERR, 0x99);
        int at = AT + CqContext.RING + 64;
        assertEquals(Cqe.tail(0, QPN, 7, 0, Cqe.REQ_ERR, 0), tail(1, 64));
        assertEquals((byte) 0x99, memory.get(at + Cqe.VENDOR_ERROR));
        assertEquals(Syndrome.of(WcStatus.REM_ACCESS_ERR), memory.get(at + Cqe.SYNDROME) & 0xff);
        assertEquals(0, BigEndian.getInt(memory, at + Cqe.SRQN));
        writer.fail(8, Cqe.RESP_ERR, WcStatus.LOC_LEN_ERR, 0, 55);
        assertEquals(55, BigEndian.getInt(memory, at + 64 + Cqe.SRQN));
        int stamped = writer.claim();
        writer.stamp(66);
        assertEquals(66, BigEndian.getInt(memory, stamped + Cqe.SRQN));
        assertEquals(55, BigEndian.getInt(memory, at + 64 + Cqe.SRQN), "of the slot that was claimed last only");
    }

    @Test
    void anErrorWithoutRoomIsAnOverrun() {
        CqWriter writer = make(Kind.EXCLUSIVE, 64, false);
        for (int i = 0; i < ENTRIES; i++) {
            assertTrue(writer.succeed(1, i, 0));
        }
        long before = tail(0, 64);
        writer.fail(9, Cqe.REQ_ERR, WcStatus.WR_FLUSH_ERR, 0);
        assertEquals(CqContext.OVERRAN, flags());
        assertEquals(before, tail(0, 64), "nothing is written over");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoArmsIsWokenOnceByTheNextCompletion(boolean lazy) {
        CqWriter writer = make(Kind.EXCLUSIVE, 64, lazy);
        writer.succeed(1, 0, 0);
        assertEquals(Cqe.tail(1, QPN, 0, 0, Cqe.REQ, 0), tail(0, 64));
        assertEquals(0, woken, "nobody waits");
        CqContext.arm(memory, AT);
        assertTrue(CqContext.isArmed(memory, AT));
        writer.succeed(1, 0, 0);
        assertEquals(1, woken);
        assertFalse(CqContext.isArmed(memory, AT));
        writer.succeed(1, 0, 0);
        assertEquals(1, woken);
        CqContext.arm(memory, AT);
        writer.settle();
        assertEquals(2, woken);
        CqContext.arm(memory, AT);
        CqContext.disarm(memory, AT);
        writer.settle();
        assertEquals(2, woken, "it is disarmed");
    }

    @Test
    void aCrossChannelCqWakesNobodyAtACompletion() {
        CqWriter writer = make(Kind.CROSS_CHANNEL, 64, false);
        CqContext.arm(memory, AT);
        writer.succeed(1, 0, 0);
        assertEquals(0, woken);
    }

    @Test
    void attentionIsAFlagAndWakes() {
        CqWriter writer = make(Kind.SHARED, 64, false);
        CqContext.arm(memory, AT);
        writer.attention();
        assertEquals(CqContext.ATTENTION, flags());
        assertEquals(1, woken);
        CqContext.raise(memory, AT, CqContext.OVERRAN);
        CqContext.lower(memory, AT, CqContext.ATTENTION);
        assertEquals(CqContext.OVERRAN, flags(), "each flag by itself");
    }

    @Test
    void claimsOfTheDeadAreClearedAndNoOthers() {
        CqWriter living = make(Kind.SHARED, 64, false);
        CqWriter dead = new CqWriter(slab, slab.base() + AT, QPN, DEAD, () -> { }, false);
        CqWriter others = new CqWriter(slab, slab.base() + AT, 5, DEAD, () -> { }, false);
        assertFalse(living.hasClaims(DEAD));
        living.succeed(1, 0, 0);
        living.claim();
        others.claim();
        assertFalse(living.hasClaims(0), "one of its own, one of another QP, one that is published");
        CqContext.arm(memory, AT);
        living.clearClaims(0);
        assertEquals(0, woken, "nothing was cleared");
        for (int i = 0; i < 5; i++) {
            dead.claim();
        }
        assertTrue(living.hasClaims(0), "whoever it was, it is dead");
        assertTrue(living.hasClaims(DEAD));
        living.clearClaims(DEAD);
        assertEquals(1, woken, "the consumer can go on");
        assertFalse(living.hasClaims(DEAD));
        assertEquals(Cqe.claim(ProcessId.NUMBER, QPN, 0), tail(1, 64), "its own");
        assertEquals(Cqe.claim(DEAD, 5, 0), tail(2, 64), "another QP's");
        for (int i = 3; i < ENTRIES; i++) {
            assertEquals(Cqe.tail(0, CqContext.NOBODY, 0, 0, Cqe.RESP_SEND, 0), tail(i, 64), "slot " + i);
        }
    }

    @Test
    void aClaimOfALivingProcessThatIsSaidToBeDeadIsCleared() {
        CqWriter living = make(Kind.SHARED, 64, false);
        living.claim();
        assertTrue(living.hasClaims(ProcessId.NUMBER));
        living.clearClaims(ProcessId.NUMBER);
        assertFalse(living.hasClaims(ProcessId.NUMBER));
    }

    @Test
    void whereNumbersOfProcessesMeanNothingClaimsAreNobodys() {
        make(Kind.SHARED, 64, false);
        memory.putInt(AT + 28, ProcessId.NAMESPACE + 1); // PID namespace of the owner
        CqWriter writer = writer(QPN, false);
        writer.claim();
        assertEquals(Cqe.claim(0, QPN, 0), tail(0, 64));
        assertTrue(writer.hasClaims(DEAD), "whoever it was");
        writer.clearClaims(DEAD);
        assertFalse(writer.hasClaims(DEAD));
    }

    @Test
    void theHintOnlyGoesUpAndByARingAtMost() {
        make(Kind.SHARED, 64, false);
        CqContext.advanceHint(memory, AT, 3, ENTRIES);
        assertEquals(3, CqContext.hint(memory, AT));
        CqContext.advanceHint(memory, AT, 2, ENTRIES);
        assertEquals(3, CqContext.hint(memory, AT));
        CqContext.advanceHint(memory, AT, 3 + ENTRIES + 1, ENTRIES);
        assertEquals(3, CqContext.hint(memory, AT), "too far ahead: it is of a producer that slept");
        CqContext.advanceHint(memory, AT, 3 + ENTRIES, ENTRIES);
        assertEquals(3 + ENTRIES, CqContext.hint(memory, AT));
    }

    @Test
    void whatIsNoCqIsRefused() {
        int[][] damages = {{0, 1}, {8, 0}, {8, 6}, {8, 16}, {8, -8}, {8, Integer.MIN_VALUE}, {12, 32}, {12, 256}};
        for (int[] damage : damages) {
            make(Kind.SHARED, 64, false);
            memory.putInt(AT + damage[0], damage[1]);
            if (damage[1] == 16) {
                continue; // looked at below: what is behind the slab
            }
            assertThrows(VerbsException.class, () -> writer(QPN, false), damage[0] + ": " + damage[1]);
        }
        make(Kind.SHARED, 64, false);
        String message = assertThrows(VerbsException.class,
                () -> new CqWriter(slab, slab.base() + AT + 64, QPN, () -> { }, false)).getMessage();
        assertTrue(message.contains("alignment=128"), message);
    }

    @Test
    void aRingMayEndWithItsSlabAndNoByteBehind() {
        int bytes = CqContext.RING + ENTRIES * 64;
        ByteBuffer exact = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
        CqContext.write(exact, 0, 1, ENTRIES, 64, true, false);
        Slab tight = Slab.wrap(exact, 2);
        assertTrue(new CqWriter(tight, tight.base(), QPN, () -> { }, false).isExclusive());
        Slab shorter = Slab.wrap(exact.limit(bytes - 1), 2);
        assertThrows(VerbsException.class, () -> new CqWriter(shorter, shorter.base(), QPN, () -> { }, false));
    }
}
