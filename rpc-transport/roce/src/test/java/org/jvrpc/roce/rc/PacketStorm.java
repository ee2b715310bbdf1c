package org.jvrpc.roce.rc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Very many packets at both halves of QPs, one life of a QP after the other: such as it expects, and such with one
 * field changed, truncated or too long, from peers that are damaged on the way (the ICRC must tell) and from those that
 * forge (it does not). What must hold is in {@link StormHost}; besides, nothing is thrown, and what is sent is bounded
 * by what came. A life is made of its seed alone.
 */
public final class PacketStorm {

    private static final int QPN = 0x4711;
    private static final int WORKS = 8;
    private static final int WINDOW = 16;
    private static final int LIFE = 256;
    private static final int PACKETS_A_PACKET = 64;
    private static final int FRAGMENT = Icrc.DONT_FRAGMENT;
    private static final VarHandle RESPONDER = field(RcTransport.class, "responder", Responder.class);
    private static final VarHandle EXPECTED = field(Responder.class, "expected", int.class);
    private static final VarHandle REQUESTER = field(RcTransport.class, "requester", Requester.class);
    private static final VarHandle SENDS = field(Requester.class, "window", SendWindow.class);

    private final Icrc icrc = new Icrc(new byte[] {10, 0, 0, 1}, new byte[] {10, 0, 0, 2});
    private final Packet packet = new Packet();
    private final byte[] before = new byte[StormPackets.ROOM];
    private long packets;
    private long refused;
    private long damaged;
    private long lives;
    private long arrived;
    private long ended;

    private static VarHandle field(Class<?> of, String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(of, MethodHandles.lookup()).findVarHandle(of, name, type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends at least so many packets; returns the seed that the next ones begin with. */
    long run(long seed, long count) {
        long until = packets + count;
        long life = seed;
        for (; packets < until; life++) {
            try {
                live(new SplittableRandom(life));
            } catch (RuntimeException | Error e) {
                throw new AssertionError("-Djvrpc.storm.seed=" + life + ": " + e, e);
            }
            lives++;
        }
        return life;
    }

    private void live(SplittableRandom random) {
        StormHost host = new StormHost(random);
        StormPackets next = new StormPackets(random, QPN);
        RcAttributes attributes = RcAttributes.defaults().withMtu(StormHost.MTU).withReads(1 + random.nextInt(2), 2)
                .withRetries(random.nextInt(8), random.nextInt(8), 1000).withWindow(WINDOW, 4);
        int psn = random.nextBoolean() ? 0xfffffe : random.nextInt() & 0xffffff;
        RcTransport transport =
                new RcTransport(host, host, host, host, attributes, WORKS, 5, psn, (psn + 0x1234) & 0xffffff);
        SendWindow window = (SendWindow) SENDS.get((Requester) REQUESTER.get(transport));
        Responder responder = (Responder) RESPONDER.get(transport);
        long nowNs = 0;
        for (int i = 0; i < LIFE && !host.failed; i++) {
            int what = random.nextInt(64);
            if (what == 0) {
                nowNs += 600;
            } else if (what < 12) {
                host.post();
                host.receives += what & 1;
            }
            int expected = (int) EXPECTED.get(responder);
            boolean request = random.nextBoolean();
            if (request) {
                next.request(expected);
            } else {
                next.response(host, window.unacknowledged(), window.next());
            }
            offer(host, transport, next, nowNs, expected, random.nextInt(4));
            if (request && (int) EXPECTED.get(responder) != expected) {
                next.executed();
            }
            transport.progress(nowNs);
            FuzzCheck.that(host.sent <= PACKETS_A_PACKET, "packets for one");
        }
        transport.fail();
        FuzzCheck.that(host.ended == host.fetched, "WRs ended");
        arrived += host.arrived;
        ended += host.ended;
    }

    private void offer(StormHost host, RcTransport transport, StormPackets next, long nowNs, int expected, int how) {
        packets++;
        host.begin(0, expected);
        int length = next.length;
        int sent = 0;
        boolean checks = how == 0;
        if (checks) {
            sent = icrc.compute(next.bytes, 0, length, 0xc000, 4791, FRAGMENT);
        }
        byte congestion = next.bytes.get(4);
        if (checks) {
            System.arraycopy(next.bytes.array(), 0, before, 0, length);
        }
        if (how < 2) {
            next.change();
        }
        if (checks && next.length >= 12) {
            boolean changed = length != next.length || !equal(next.bytes.array(), length);
            boolean right = sent == icrc.compute(next.bytes, 0, next.length, 0xc000, 4791, FRAGMENT);
            FuzzCheck.that(right != changed || congestion != next.bytes.get(4), "an ICRC is right behind a change");
            if (!right) {
                damaged++;
                return;
            }
        }
        if (packet.parse(next.bytes, 0, next.length) != Packet.Verdict.OK || packet.qpn() != QPN) {
            refused++;
            return;
        }
        FuzzCheck.that(packet.payload() + packet.length() <= next.length && packet.length() >= 0, "a payload's bounds");
        FuzzCheck.that(Opcode.isKnown(packet.opcode()), "an opcode");
        host.begin(packet.psn(), expected);
        transport.receive(packet, nowNs);
    }

    /** But for the byte that routers may change. */
    private boolean equal(byte[] bytes, int length) {
        return Arrays.equals(bytes, 0, 4, before, 0, 4) && Arrays.equals(bytes, 5, length, before, 5, length);
    }

    long packets() {
        return packets;
    }

    @Override
    public String toString() {
        return "packets=" + packets + " refused=" + refused + " damaged=" + damaged + " lives=" + lives
                + " arrived=" + arrived + " ended=" + ended;
    }

    /** @param args first seed, packets */
    public static void main(String[] args) {
        PacketStorm storm = new PacketStorm();
        long startNs = System.nanoTime();
        long next = storm.run(Long.parseLong(args[0]), Long.parseLong(args[1]));
        double seconds = (System.nanoTime() - startNs) / 1e9;
        System.out.printf("seed=%s next=%d %s packets_per_s=%.0f%n", args[0], next, storm, storm.packets / seconds);
    }
}
