package org.jvrpc.roce.rc;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.IntPredicate;
import org.jvrpc.roce.wire.Packet;

/** Two hosts and what is between them: packets take a time, and may be lost, doubled or late, by a seed. */
final class RcNetwork {

    static final int QPN_A = 0x111;
    static final int QPN_B = 0x222;
    private static final int OFFSET = 8;
    private static final long DELAY_NS = 2_000;
    private static final long LATE_NS = 9_000;
    private static final long PACKET_NS = 100;

    /** A packet on its way. */
    private record Flight(long atNs, long number, RcNode to, byte[] bytes) {
    }

    /** One direction. */
    private final class Direction implements PacketSink {

        private final ByteBuffer buffer = ByteBuffer.allocate(OFFSET + 4096 + 64);
        private final RcNode to;
        private long busyUntilNs;
        /** Which packets are lost, by their number in this direction. */
        private IntPredicate lost = number -> false;
        private int sent;
        private boolean closed;
        private final List<byte[]> tap = new ArrayList<>();
        private boolean tapped;

        Direction(RcNode to) {
            this.to = to;
        }

        @Override
        public boolean isReady() {
            return !closed && busyUntilNs - nowNs < 10 * PACKET_NS;
        }

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public int offset() {
            return OFFSET;
        }

        @Override
        public void send(int length) {
            byte[] bytes = new byte[length];
            buffer.get(OFFSET, bytes);
            packets++;
            if (tapped) {
                tap.add(bytes);
            }
            busyUntilNs = Math.max(busyUntilNs, nowNs) + PACKET_NS;
            if (!lost.test(sent++) && random.nextDouble() >= loss) {
                fly(bytes);
                if (random.nextDouble() < doubles) {
                    fly(bytes);
                }
            }
        }

        private void fly(byte[] bytes) {
            long late = random.nextDouble() < reorders ? random.nextInt((int) LATE_NS) : 0;
            flights.add(new Flight(busyUntilNs + DELAY_NS + late, numbers++, to, bytes));
        }
    }

    final RcNode a;
    final RcNode b;
    final Random random;
    double loss;
    double doubles;
    double reorders;
    long nowNs = 1_000_000;
    long packets;
    private long numbers;
    private final Direction toA;
    private final Direction toB;
    private final PriorityQueue<Flight> flights = new PriorityQueue<>(
            Comparator.comparingLong(Flight::atNs).thenComparingLong(Flight::number));

    RcNetwork(long seed, RcAttributes attributes, int bytes, int psn) {
        random = new Random(seed);
        a = new RcNode(bytes);
        b = new RcNode(bytes);
        toA = new Direction(a);
        toB = new Direction(b);
        a.transport = new RcTransport(a, a, a, toB, attributes, 64, QPN_B, psn, 7);
        b.transport = new RcTransport(b, b, b, toA, attributes, 64, QPN_A, 7, psn);
    }

    void loseToB(IntPredicate numbersLost) {
        toB.lost = numbersLost;
    }

    void loseToA(IntPredicate numbersLost) {
        toA.lost = numbersLost;
    }

    /** Returns a list of all packets that leave for A from now on, also those that are lost then. */
    List<byte[]> tapToA() {
        toA.tapped = true;
        return toA.tap;
    }

    /** As {@link #tapToA}. */
    List<byte[]> tapToB() {
        toB.tapped = true;
        return toB.tap;
    }

    /** Lets no packet leave for A, or again. */
    void closeToA(boolean on) {
        toA.closed = on;
    }

    /** Runs until nothing more happens; returns false when it was still going on after so many steps. */
    boolean run(int steps) {
        progress();
        for (int i = 0; i < steps; i++) {
            long next = next();
            if (next == RcTransport.NEVER) {
                return true;
            }
            nowNs = Math.max(nowNs, next);
            while (!flights.isEmpty() && flights.peek().atNs <= nowNs) {
                Flight flight = flights.poll();
                deliver(flight.to, flight.bytes);
            }
            progress();
        }
        return false;
    }

    private void progress() {
        a.transport.progress(nowNs);
        b.transport.progress(nowNs);
    }

    private long next() {
        long next = Math.min(a.transport.deadlineNs(), b.transport.deadlineNs());
        if (!flights.isEmpty()) {
            next = Math.min(next, flights.peek().atNs);
        }
        return next;
    }

    void deliver(RcNode to, byte[] bytes) {
        if (to.packet.parse(ByteBuffer.wrap(bytes), 0, bytes.length) == Packet.Verdict.OK) {
            to.transport.receive(to.packet, nowNs);
        }
    }
}
