package org.jvrpc.roce.rc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.roce.rc.RcNode.Ended;
import org.jvrpc.roce.rc.RcNode.Wr;
import org.jvrpc.roce.rc.ReceiveQueue.Arrival;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.verbs.WcStatus;

/**
 * Random WRs over a network that loses, doubles and delays packets: each ends once, in order, with success, and does
 * what it would have done alone.
 */
class RcScheduleTest {

    private static final int SCHEDULES = Integer.getInteger("jvrpc.rc.schedules", 300);
    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());
    private static final int WRS = 60;
    private static final int LONGEST = 6000;
    /** Memory: what is sent and written from, and what is read into; and at the peer written, read, changed. */
    private static final int SOURCE = 0;
    private static final int RESULTS = 1 << 16;
    private static final int WRITTEN = 1 << 16;
    private static final int READ = SOURCE;
    private static final int WORDS = (1 << 17) + (1 << 16);
    private static final int BYTES = 1 << 18;

    private final RcAttributes attributes = RcAttributes.defaults();

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "0.05, 0, 0", "0, 0.1, 0", "0, 0, 0.1", "0.03, 0.05, 0.05"})
    void everyWrEndsOnceAndDoesWhatItSays(double loss, double doubles, double reorders) {
        for (int i = 0; i < SCHEDULES; i++) {
            schedule(SEED + i, loss, doubles, reorders);
        }
    }

    private void schedule(long seed, double loss, double doubles, double reorders) {
        Random random = new Random(seed);
        int mtu = 256 << random.nextInt(5);
        RcAttributes with = attributes.withMtu(mtu).withWindow(1 + random.nextInt(64), 1 + random.nextInt(64))
                .withReads(1 + random.nextInt(4), 4).withRetries(7, 7, 30_000);
        RcNetwork net = new RcNetwork(seed, with, BYTES, Psn.MASK - random.nextInt(100));
        net.loss = loss;
        net.doubles = doubles;
        net.reorders = reorders;
        random.nextBytes(net.a.memory.array());
        random.nextBytes(net.b.memory.array());
        for (int i = 0; i < 4; i++) {
            net.b.memory.putLong(WORDS + 8 * i, i); // what is compared with is small, too
        }
        byte[] before = net.b.memory.array().clone();
        byte[] source = net.a.memory.array().clone();
        for (int i = 0; i < WRS; i++) {
            net.a.post(wr(random, i));
        }
        net.b.receive(WRS, LONGEST);
        String what = "-Djvrpc.seed=" + seed + " loss=" + loss + " doubles=" + doubles + " reorders=" + reorders;
        assertTrue(net.run(200_000), what);
        for (int i = 0; i < WRS; i++) {
            assertTrue(i < net.a.ended.size(), what + ": ended=" + net.a.ended.size());
            assertEquals(new Ended(i, WcStatus.SUCCESS), net.a.ended.get(i), what);
        }
        assertEquals(WRS, net.a.ended.size(), what);
        check(net, source, before, what);
    }

    private static Wr wr(Random random, int index) {
        int length = random.nextInt(4) == 0 ? random.nextInt(20) : random.nextInt(LONGEST);
        int from = SOURCE + random.nextInt((1 << 16) - LONGEST);
        Operation operation = Operation.values()[random.nextInt(Operation.values().length)];
        boolean fenced = random.nextInt(8) == 0;
        Wr wr = switch (operation) {
            case SEND -> Wr.send(from, length);
            case SEND_INVALIDATE -> Wr.of(Operation.SEND_IMM, from, length, 0); // it would end the others' key
            case READ -> Wr.of(operation, RESULTS + index % 10 * LONGEST, length, READ
                    + random.nextInt((1 << 16) - LONGEST));
            case COMPARE_SWAP, FETCH_ADD -> Wr.atomic(operation, (1 << 17) + 8 * index,
                    WORDS + 8 * random.nextInt(4), random.nextInt(3), random.nextInt(3));
            default -> Wr.of(operation, from, length, WRITTEN + random.nextInt((1 << 16) - LONGEST));
        };
        return new Wr(wr.operation(), wr.from(), wr.length(), wr.address(), wr.rkey(), wr.word(), wr.compare(),
                wr.swapOrAdd(), fenced);
    }

    /** Does what was posted, one after the other, and compares. */
    private static void check(RcNetwork net, byte[] source, byte[] before, String what) {
        ByteBuffer mine = ByteBuffer.wrap(source);
        ByteBuffer theirs = ByteBuffer.wrap(before);
        List<RcNode.Arrived> arrived = new ArrayList<>();
        for (Wr wr : net.a.posted) {
            int address = (int) wr.address();
            byte[] bytes = new byte[wr.length()];
            mine.get(wr.from(), bytes);
            switch (wr.operation()) {
                case SEND -> arrived.add(new RcNode.Arrived(Arrival.SEND, 0, bytes));
                case SEND_IMM -> arrived.add(new RcNode.Arrived(Arrival.SEND_IMM, 99, bytes));
                case WRITE -> theirs.put(address, bytes);
                case WRITE_IMM -> {
                    theirs.put(address, bytes);
                    arrived.add(new RcNode.Arrived(Arrival.WRITE_IMM, 99, new byte[bytes.length]));
                }
                case READ -> mine.put(wr.from(), theirs, address, wr.length());
                default -> {
                    long found = theirs.getLong(address);
                    mine.putLong(wr.from(), found);
                    if (wr.operation() == Operation.FETCH_ADD) {
                        theirs.putLong(address, found + wr.swapOrAdd());
                    } else if (found == wr.compare()) {
                        theirs.putLong(address, wr.swapOrAdd());
                    }
                }
            }
        }
        assertArrayEquals(theirs.array(), net.b.memory.array(), what + ": the peer's memory");
        assertArrayEquals(mine.array(), net.a.memory.array(), what + ": what was brought back");
        assertEquals(arrived.size(), net.b.arrived.size(), what);
        for (int i = 0; i < arrived.size(); i++) {
            assertEquals(arrived.get(i).kind(), net.b.arrived.get(i).kind(), what);
            assertEquals(arrived.get(i).word(), net.b.arrived.get(i).word(), what);
            assertArrayEquals(arrived.get(i).bytes(), net.b.arrived.get(i).bytes(), what);
        }
    }

    @Test
    void equalSeedsGiveAsManyPacketsInTheSameTime() {
        long[] counts = new long[2];
        for (int i = 0; i < 2; i++) {
            RcNetwork net = new RcNetwork(5, attributes, BYTES, 0);
            net.loss = 0.1;
            net.b.receive(1, 1 << 16);
            net.a.post(Wr.send(0, 50_000));
            assertTrue(net.run(100_000));
            counts[i] = net.packets * 31 + net.nowNs;
        }
        assertEquals(counts[0], counts[1]);
    }
}
