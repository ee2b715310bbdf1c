package org.jvrpc.router.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.softrnic.router.wire.SubmitRing;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** What a container writes to rings, records and words that the router reads, at the wrong time and of no sense. */
final class HostileRingsTest extends HostileGround {

    private RawTenant hostile;
    private RawTenant accomplice;
    private RawQp from;
    private RawQp to;
    private int made;

    @BeforeEach
    void pair() {
        hostile = attached(HOSTILE);
        accomplice = attached(ACCOMPLICE);
        made = 0;
        again();
    }

    /** Makes another connected pair: the one before is in ERR. */
    private void again() {
        if (made > 0) {
            from.destroy();
            to.destroy();
        }
        from = new RawQp(hostile, made % 8, 7);
        to = new RawQp(accomplice, made % 8, 7);
        made++;
        RawQp.connect(from, to);
    }

    private void awaitEnd() {
        Waits.until("the QP to end", () -> from.state() == QueuePairState.ERR);
    }

    private WcStatus sent() {
        WcStatus[] found = new WcStatus[1];
        Waits.until("a completion", () -> (found[0] = from.sent()) != null);
        return found[0];
    }

    @Test
    void aMessageOfTheirsArrives() {
        to.receive(0, 256);
        from.send(0, 100);
        from.ring();
        assertEquals(WcStatus.SUCCESS, sent());
        assertEquals(WcStatus.SUCCESS, to.received());
    }

    @ParameterizedTest
    @CsvSource({"0, 10, 0", "3, 10, 0", "255, 10, 0", "1, 0, 0", "1, 113, 0", "1, 255, 0", "1, 10, -1",
        "1, 10, 65", "1, 10, -2147483648", "2, 0, 65", "2, 0, 2147483647"})
    void aSubmittedEntryThatCannotBeEndsItsQp(int kind, int length, int producer) {
        to.receive(0, 256);
        from.submit(kind, length, producer);
        from.ring(0);
        awaitEnd();
        assertEquals(null, to.received());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 0x7fff, 0xffff})
    void anEntryOfAnotherLapIsNone(int lap) {
        to.receive(0, 256);
        long word = SubmitRing.word(0, SubmitRing.PUSH, 50, 0) & 0xffff_ffff_ffffL | (long) lap << 48;
        SubmitRing.publish(from.memory, from.at + RawQp.SUBMIT, 0, word);
        from.ring(0);
        neighbours.goOn();
        assertEquals(null, to.received());
        assertEquals(QueuePairState.RTS, from.state());
    }

    /** Whatever was read, it is a message of this tenant's, of at most 112 bytes, or the end of its QP. */
    @Test
    void entriesThatChangeWhileTheyAreReadHarmTheirOwnerAlone() throws InterruptedException {
        AtomicBoolean ends = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            Random random = new Random(1);
            while (!ends.get()) {
                int at = from.at + RawQp.SUBMIT + SubmitRing.entry(random.nextInt(16));
                from.memory.putLong(at + 8 * random.nextInt(16), random.nextLong());
                SubmitRing.publish(from.memory, from.at + RawQp.SUBMIT, random.nextInt(16), SubmitRing.word(
                        random.nextInt(64), random.nextInt(4), random.nextInt(120), random.nextInt(64)));
                from.memory.putInt(from.at + RawQp.SUBMIT, random.nextInt());
            }
        });
        writer.start();
        try {
            for (int i = 0; i < 20; i++) {
                to.posted(i);
                from.ring(i);
                neighbours.call();
            }
        } finally {
            ends.set(true);
            writer.join();
        }
    }

    /** All opcodes, a few opmods each: what is none ends the QP by LOC_QP_OP_ERR or the like. */
    @Test
    void opcodesOfAllKindsEndInACompletion() {
        for (int opcode = 0; opcode < 256; opcode += opcode < 0x20 ? 1 : 31) {
            for (int opmod : new int[] {0, 1, 0x80}) {
                from.control(opmod, opcode, 2);
                from.segment(from.wqeAt() + 16, 64, RawTenant.KEY, RawTenant.address(RawTenant.DATA));
                from.producer++;
                to.receive(0, 64);
                from.ring();
                if (sent() != WcStatus.SUCCESS) {
                    awaitEnd();
                    again();
                }
                from.free();
                to.free();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 9, 62, 63})
    void countsOfSegmentsThatReachBeyondWhatWasRungEndTheQp(int segments) {
        to.receive(0, 1024);
        from.control(0, Wqe.SEND, segments);
        for (int i = 1; i < segments && i < 4; i++) {
            from.segment(from.wqeAt() + 16 * i, 16, RawTenant.KEY, RawTenant.address(RawTenant.DATA));
        }
        from.producer++;
        from.ring();
        WcStatus status = sent();
        assertTrue(segments == 1 ? status == WcStatus.SUCCESS : status == WcStatus.LOC_QP_OP_ERR, status.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {Wqe.INLINE | 13, Wqe.INLINE | 45, Wqe.INLINE | 1 << 20, Wqe.INLINE | Integer.MAX_VALUE})
    void inlineLengthsThatReachOutOfTheWqeEndTheQp(int length) {
        to.receive(0, 1024);
        from.control(0, Wqe.SEND, 2);
        BigEndian.putInt(from.memory, from.wqeAt() + 16, length);
        from.producer++;
        from.ring();
        assertEquals(WcStatus.LOC_QP_OP_ERR, sent());
        assertEquals(null, to.received());
    }

    @Test
    void sixtyTwoSegmentsOfAGibibyteEachAreTooMuch() {
        for (int i = 1; i < 63; i++) {
            int at = from.at + RawQp.SEND_RING + 16 * i;
            from.segment(at, RawTenant.DATA_BYTES, RawTenant.KEY, RawTenant.address(RawTenant.DATA));
        }
        from.control(0, Wqe.SEND, 63);
        from.producer += 16;
        to.receive(0, RawTenant.DATA_BYTES);
        from.ring();
        assertEquals(WcStatus.REM_INV_REQ_ERR, sent());
    }

    /** Wild receives take their owner's messages, or fail at it; a counter that jumps makes garbage of its ring. */
    @Test
    void receivesAndCountersOfNoSenseAreTheirOwnersLoss() {
        Random random = new Random(2);
        for (int i = 0; i < 60; i++) {
            int at = to.receiveAt(random.nextInt(RawQp.RECEIVES));
            for (int word = 0; word < RawQp.STRIDE; word += 8) {
                to.memory.putLong(at + word, random.nextLong());
            }
            if (i % 3 == 0) {
                to.segment(at, -random.nextInt(3), RawTenant.KEY, RawTenant.address(RawTenant.DATA) - i);
            }
            to.posted(random.nextInt());
            from.send(0, 40 + random.nextInt(100));
            from.ring();
            neighbours.call();
            if (from.state() == QueuePairState.ERR || i % 10 == 9) {
                again();
            }
            from.free();
            to.free();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 0x7fffff, 0xffffff, -1, Integer.MIN_VALUE})
    void aConsumerThatLiesOverrunsItsOwnCq(int lie) {
        for (int i = 0; i < 3 * RawQp.CQES && from.state() == QueuePairState.RTS; i++) {
            to.receive(0, 256);
            from.send(0, 100);
            from.ring();
            sent();
            from.free();
            to.consumer(RawQp.RECEIVE_CQ, i % 2 == 0 ? lie : -lie);
        }
        neighbours.goOn();
    }

    @Test
    void armedWordsThatAreWrittenWithoutEndCostAByteNowAndThen() throws InterruptedException {
        storm(() -> {
            to.memory.putInt(to.at + RawQp.RECEIVE_CQ + 24, 1); // armed
            to.memory.putInt(to.at + RawQp.RECEIVE_CQ + 20, -1); // flags
            to.memory.putInt(from.at + RawQp.SEND_CQ + 24, 1);
            return true;
        }, () -> {
            to.receive(0, 256);
            from.send(0, 100);
            from.ring();
            assertEquals(WcStatus.SUCCESS, sent());
            from.free();
            to.free();
            to.consumer(RawQp.RECEIVE_CQ, from.polledSends);
        }, 150);
    }

    /** Each try finds another value: the atomic ends as one that cannot be done, or is done. */
    @ParameterizedTest
    @ValueSource(ints = {Wqe.ATOMIC_CS, Wqe.ATOMIC_FA, Wqe.ATOMIC_MASKED_CS, Wqe.ATOMIC_MASKED_FA})
    void atomicsOnMemoryThatChangesAllTheTimeEnd(int opcode) throws InterruptedException {
        storm(() -> {
            to.memory.putLong(RawTenant.DATA + 8, System.nanoTime());
            return true;
        }, () -> {
            from.remote(opcode, 64, 8, RawTenant.KEY, RawTenant.address(RawTenant.DATA + 8), accomplice.rkey);
            if (Wqe.dataOffset(opcode) == Wqe.BLOCK) {
                from.segment(from.at + RawQp.SEND_RING + (from.producer & RawQp.SENDS - 1) * Wqe.BLOCK, 8,
                        RawTenant.KEY, RawTenant.address(RawTenant.DATA + 64));
                from.producer++;
            }
            from.ring();
            WcStatus status = sent();
            assertTrue(status == WcStatus.SUCCESS || status == WcStatus.REM_OP_ERR, status.toString());
            if (status != WcStatus.SUCCESS) {
                again();
            }
            from.free();
        }, 20);
    }

    @Test
    void ringsThatChangeWhileTheyAreExecutedReachNothingOfOthers() throws InterruptedException {
        storm(() -> {
            Random random = new Random(from.producer);
            int at = from.at + RawQp.SEND_RING + random.nextInt(RawQp.SENDS * Wqe.BLOCK / 8) * 8;
            from.memory.putLong(at,
                    random.nextBoolean() ? random.nextLong() : RawTenant.address(random.nextInt(1 << 20)));
            return true;
        }, () -> {
            to.receive(0, 256);
            from.send(0, 100);
            from.remote(Wqe.RDMA_WRITE, 0, 100, RawTenant.KEY, RawTenant.address(RawTenant.DATA), accomplice.rkey);
            from.ring();
            neighbours.call();
            if (from.state() == QueuePairState.ERR) {
                again();
            }
            from.free();
            to.free();
        }, 60);
    }

    private void storm(BooleanSupplier written, Runnable work, int rounds) throws InterruptedException {
        AtomicBoolean ends = new AtomicBoolean();
        Thread storm = new Thread(() -> {
            while (!ends.get() && written.getAsBoolean()) {
                Thread.onSpinWait();
            }
        }, "storm");
        storm.start();
        try {
            for (int i = 0; i < rounds; i++) {
                work.run();
            }
            neighbours.goOn();
        } finally {
            ends.set(true);
            storm.join();
        }
    }

    @Test
    void theOwnCopiesOfContextsCountForNothing() {
        for (int i = 0; i < QpContext.RECORD; i++) {
            from.memory.put(from.at + i, (byte) 0xff);
            to.memory.put(to.at + i, (byte) 0xff);
            to.memory.put(to.at + RawQp.RECEIVE_CQ + i, (byte) 0xff);
        }
        for (int i = CqContext.RECORD + 8; i < CqContext.RING; i++) {
            to.memory.put(to.at + RawQp.RECEIVE_CQ + i, (byte) 0xff);
        }
        aMessageOfTheirsArrives();
    }

    // Keys and addresses.

    private void expectAccessError(int lkey, long address, int rkey, int length, WcStatus expected) {
        from.remote(Wqe.RDMA_READ, 0, length, lkey, address, rkey);
        from.ring();
        assertEquals(expected, sent(), () -> "lkey=" + lkey + " rkey=" + rkey + " address=0x"
                + Long.toHexString(address) + " length=" + length);
        again();
    }

    @Test
    void forgedKeysAndAddressesOpenNothing() {
        Random random = new Random(3);
        long data = RawTenant.address(RawTenant.DATA);
        for (int i = 0; i < 12; i++) {
            expectAccessError(RawTenant.KEY, data, random.nextInt(), 64, WcStatus.REM_ACCESS_ERR);
            expectAccessError(random.nextInt(1 << 24) | 1 << 24, data, accomplice.rkey, 64, WcStatus.LOC_PROT_ERR);
        }
        expectAccessError(RawTenant.KEY, data, RawTenant.KEY, 64, WcStatus.REM_ACCESS_ERR);
        expectAccessError(RawTenant.KEY, data, hostile.rkey, 64, WcStatus.REM_ACCESS_ERR);
        long[] addresses = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, data - 1, data + RawTenant.DATA_BYTES - 63,
            data + (1L << 40), data - (1L << 40), RawTenant.address(0), 0xffffff_0000000000L};
        for (long address : addresses) {
            expectAccessError(RawTenant.KEY, address, accomplice.rkey, 64, WcStatus.REM_ACCESS_ERR);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, 1L << 40, 0x7ffffe_0000000000L})
    void aLocalAddressOutsideOfItsRegionOpensNothing(long address) {
        to.receive(0, 64);
        from.control(0, Wqe.SEND, 2);
        from.segment(from.wqeAt() + 16, 64, RawTenant.KEY, address);
        from.producer++;
        from.ring();
        assertEquals(WcStatus.LOC_PROT_ERR, sent());
        assertFalse(to.state() == QueuePairState.RESET);
    }

    /** Keys are of a protection domain, at either end. */
    @Test
    void keysOfAnotherProtectionDomainOpenNothing() {
        int key = 9 << 8;
        long data = RawTenant.address(RawTenant.DATA);
        hostile.done(new RegionNote(key, 2, RawTenant.ALL, data, 4096)
                .frame(hostile.nextId()));
        int rkey = accomplice.done(new RegionNote(key, 2, RawTenant.ALL, data, 4096)
                .frame(accomplice.nextId())).object();
        expectAccessError(key, data, accomplice.rkey, 64, WcStatus.LOC_PROT_ERR);
        expectAccessError(RawTenant.KEY, data, rkey, 64, WcStatus.REM_ACCESS_ERR);
    }
}
