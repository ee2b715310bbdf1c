package org.jvrpc.ibverbs.differential;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.ibverbs.differential.PacketName.Kind;
import org.jvrpc.roce.capture.Frame;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;

/**
 * The wire between two hosts: a thread for each direction takes frames from one network device and sends them by the
 * other, as they are, but for packets of the connection that is looked at, which a plan has faults for. Any thread.
 */
final class Relay implements AutoCloseable {

    private static final int FRAME_BYTES = 1 << 14;
    private static final int TURN_US = 2_000;
    /** After so many turns without another packet, a late one arrives. */
    private static final int LATE_TURNS = 2;
    private static final int CHECKSUM = -2;
    private static final int UNMASKED = 5;

    /**
     * A connection that is looked at.
     *
     * @param asks the QP that asks; then the one that is asked
     * @param firstPsn of the one that asks
     * @param invalidates SENDs with an immediate are sent on as ones that invalidate a key, for which verbs has no call
     */
    record Watched(int asks, int asked, int firstPsn, FaultPlan plan, boolean invalidates) { }

    private final PacketSocket[] sockets;
    private final Thread[] threads = new Thread[2];
    private final Map<String, Integer> times = new HashMap<>();
    private final List<String> trace = new ArrayList<>();
    private final List<PacketName> names = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();
    private volatile Watched watched;
    private volatile boolean closed;

    /** Joins two network devices. */
    Relay(String one, String other) {
        sockets = new PacketSocket[] {new PacketSocket(one, TURN_US), new PacketSocket(other, TURN_US)};
        for (int i = 0; i < threads.length; i++) {
            int from = i;
            threads[i] = new Thread(() -> run(from), "relay-" + one + "-" + from);
            threads[i].setDaemon(true);
            threads[i].start();
        }
    }

    /** Looks at another connection, from its first packet on; null to look at none. */
    synchronized void watch(Watched connection) {
        times.clear();
        trace.clear();
        names.clear();
        refusals.clear();
        watched = connection;
    }

    /** Returns what passed, in order, with what became of it. */
    synchronized List<String> trace() {
        return List.copyOf(trace);
    }

    /** Returns the names of what passed, in order. */
    synchronized List<PacketName> names() {
        return List.copyOf(names);
    }

    /** Returns the NAKs of a kind: how far behind the first PSN they are, with the syndrome of those that are fatal. */
    synchronized List<String> naks(Kind kind) {
        return refusals.stream().filter(nak -> nak.startsWith(kind.name())).map(nak -> nak.substring(
                kind.name().length() + 1)).distinct().sorted().toList();
    }

    private synchronized Fate fate(Watched connection, ByteBuffer packet, int bth) {
        if (connection != watched) {
            return Fate.ARRIVES;
        }
        Kind kind = PacketName.kind(packet, bth);
        int psn = PacketName.behind(packet, bth, connection.firstPsn);
        PacketName name = new PacketName(kind, psn, times.merge(kind + " " + psn, 1, Integer::sum));
        Fate fate = connection.plan.fate(name);
        names.add(name);
        trace.add(name + " opcode=" + Integer.toHexString(Bth.opcode(packet, bth))
                + (Bth.isAckRequested(packet, bth) ? " ack" : "") + (fate == Fate.ARRIVES ? "" : " " + fate));
        if (kind == Kind.FATAL_NAK) {
            refusals.add(kind + " " + psn + " " + Integer.toHexString(PacketName.syndrome(packet, bth)));
        } else if (kind == Kind.SEQUENCE_NAK || kind == Kind.RNR_NAK) {
            refusals.add(kind + " " + psn);
        }
        if (fate == Fate.DAMAGED) {
            damage(packet, bth, connection.plan.bits(name) >>> 16);
        }
        return fate;
    }

    /** Changes a bit that the ICRC covers, or one of the ICRC. */
    private static void damage(ByteBuffer packet, int bth, long bits) {
        int first = bth + UNMASKED;
        int at = first + (int) (bits % (packet.limit() - first));
        packet.put(at, (byte) (packet.get(at) ^ 1 << (bits >>> 32 & 7)));
    }

    /** Whose packet it is: the connection's, or null. */
    private Watched of(ByteBuffer packet, Frame frame) {
        Watched connection = watched;
        if (connection == null || !frame.parse(packet)) {
            return null;
        }
        int opcode = Bth.opcode(packet, frame.bth());
        int qpn = Bth.qpn(packet, frame.bth());
        boolean isOne = qpn == (Opcode.isResponse(opcode) ? connection.asks : connection.asked);
        return Opcode.isRc(opcode) && isOne ? connection : null;
    }

    /** The word in the last header is a key from now on. */
    private static void invalidate(ByteBuffer packet, Frame frame) {
        int opcode = Bth.opcode(packet, frame.bth());
        if (opcode != Opcode.SEND_ONLY_IMM && opcode != Opcode.SEND_LAST_IMM) {
            return;
        }
        packet.put(frame.bth(), (byte) (opcode == Opcode.SEND_ONLY_IMM ? Opcode.SEND_ONLY_INVALIDATE
                : Opcode.SEND_LAST_INVALIDATE));
        Icrc.write(packet, frame.bth() + frame.length(), new Icrc(frame.source(), frame.destination()).compute(packet,
                frame.bth(), frame.length(), frame.sourcePort(), frame.destinationPort(), frame.fragment()));
    }

    private void run(int from) {
        PacketSocket in = sockets[from];
        PacketSocket out = sockets[1 - from];
        ByteBuffer packet = ByteBuffer.allocateDirect(FRAME_BYTES);
        ByteBuffer late = ByteBuffer.allocateDirect(FRAME_BYTES).limit(0);
        Frame frame = new Frame();
        int turns = 0;
        while (!closed) {
            boolean came = in.receive(packet);
            Watched connection = came ? of(packet, frame) : null;
            Fate fate = Fate.ARRIVES;
            if (came && frame.parse(packet)) {
                if (frame.isIpv4()) { // veth leaves the checksum to cards that are not there; the ICRC has it all
                    packet.putShort(frame.bth() + CHECKSUM, (short) 0);
                }
                packet.limit(frame.bth() + frame.length() + Icrc.BYTES);
                if (connection != null && connection.invalidates) {
                    invalidate(packet, frame);
                }
                fate = connection == null ? Fate.ARRIVES : fate(connection, packet, frame.bth());
            }
            boolean hold = fate == Fate.LATE && late.limit() == 0;
            if (hold) {
                late.clear().put(packet).flip();
            } else if (came && fate != Fate.LOST) {
                out.send(packet);
                if (fate == Fate.TWICE) {
                    out.send(packet);
                }
            }
            turns = came ? 0 : turns + 1;
            if (!hold && late.limit() > 0 && (connection != null || turns >= LATE_TURNS)) {
                out.send(late);
                late.limit(0);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        for (PacketSocket socket : sockets) {
            socket.close();
        }
    }
}
