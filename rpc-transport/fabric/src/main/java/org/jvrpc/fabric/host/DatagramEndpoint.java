package org.jvrpc.fabric.host;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jvrpc.fabric.cost.HostSide;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.fabric.network.Frame;
import org.jvrpc.roce.ud.Grh;
import org.jvrpc.roce.ud.UdReceiveQueue;
import org.jvrpc.roce.ud.UdRequester;
import org.jvrpc.roce.ud.UdResponder;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.verbs.WcStatus;

/**
 * A QP of datagrams. Each goes to a host, a QP and along a flow of its own; a receive is always there. It needs
 * a network with payloads.
 */
public final class DatagramEndpoint implements UdReceiveQueue, EventTarget {

    /** Below this, QPs are of RC. */
    static final int FIRST_QPN = 0x800000;
    /** Datagrams of a service level that may wait for their turn. */
    private static final int DEPTH = 256;
    private static final int LEVELS = 8;
    private static final int FETCHED = 0;
    private static final int SENT = 1;
    private static final int ARRIVED = 2;

    private record Datagram(int mac, int qpn, ByteBuffer bytes, long nicNs) { }

    /** Datagrams of one service level, which wait for their turn. */
    private final class Level extends Talker {

        private final int lane;
        private final Frame[] frames = new Frame[DEPTH];
        private final long[] cookies = new long[DEPTH];
        private int first;
        private int size;
        /** With those on their way to the NIC. */
        private int taken;

        Level(int lane) {
            this.lane = lane;
        }

        void add(Frame frame, long cookie) {
            frames[(first + size) % DEPTH] = frame;
            cookies[(first + size++) % DEPTH] = cookie;
        }

        @Override
        Frame turn(long nowNs) {
            if (size == 0) {
                return null;
            }
            Frame frame = frames[first];
            tellSent(cookies[first], nowNs);
            frames[first] = null;
            first = (first + 1) % DEPTH;
            size--;
            taken--;
            return frame;
        }

        @Override
        int lane() {
            return lane;
        }
    }

    private final Nic nic;
    private final int qpn;
    private final int qkey;
    private final int mtu;
    private final DatagramApplication application;
    private final HostSide side;
    private final UdRequester requester;
    private final UdResponder responder;
    private final ByteBuffer grh = ByteBuffer.allocate(Grh.BYTES);
    private final Map<Integer, Envelope> envelopes = new HashMap<>();
    private final Level[] levels = new Level[LEVELS];
    private boolean failed;
    /** Where the datagram at hand lies. */
    private ByteBuffer packet;
    private int payload;
    private int payloadBytes;
    private int source;

    DatagramEndpoint(Nic nic, int qpn, int qkey, int mtu, DatagramApplication application) {
        if (!nic.network().hasPayloads() || mtu < 0 || mtu > nic.network().mtu()) {
            throw new IllegalArgumentException("datagrams need a network with payloads as long: payloads="
                    + nic.network().hasPayloads() + " mtu=" + mtu + " of the network=" + nic.network().mtu());
        }
        this.nic = nic;
        this.qpn = qpn;
        this.qkey = qkey;
        this.mtu = mtu;
        this.application = application;
        side = nic.hostSide();
        requester = new UdRequester(qpn, nic.firstPsn());
        responder = new UdResponder(this, qkey, mtu);
    }

    public int qpn() {
        return qpn;
    }

    /** Returns the longest payload, in bytes. */
    public int mtu() {
        return mtu;
    }

    /** Returns how many packets for it were dropped, or delivered. */
    public long count(UdResponder.Outcome outcome) {
        return responder.count(outcome);
    }

    /** Returns true when its host died: it neither sends nor takes anything any more. */
    public boolean hasFailed() {
        return failed;
    }

    /**
     * Sends the remaining bytes, which are copied.
     *
     * @param mac number of the host that it is for; of this one: by loopback, where the NIC has that
     * @param toQpn number of its QP, which has the same Q_Key
     * @param sourcePort of UDP, which says the path
     * @param serviceLevel 0 to 7
     * @param cookie comes back when it has left
     * @return false when too many wait, or the host is dead: nothing was sent
     * @throws IllegalArgumentException for more bytes than {@link #mtu}
     */
    public boolean send(int mac, int toQpn, int sourcePort, int serviceLevel, ByteBuffer bytes, long cookie) {
        int length = bytes.remaining();
        if (length > mtu) {
            throw new IllegalArgumentException("datagram is longer than the MTU: bytes=" + length + " mtu=" + mtu);
        }
        Level level = level(serviceLevel);
        if (failed || level.taken == DEPTH) {
            return false;
        }
        level.taken++;
        Frame frame = nic.network().frame();
        frame.packet().put(UdRequester.headerBytes(false), bytes, bytes.position(), length);
        int packetBytes = requester.write(frame.packet(), 0, length, false, 0, false, toQpn, qkey);
        envelope(mac).seal(frame, packetBytes, serviceLevel, serviceLevel << 2, sourcePort);
        if (side == null) {
            fetched(frame, cookie);
        } else {
            long nowNs = nic.network().nowNs();
            nic.network().events().schedule(side.fetchedNs(nowNs), this, FETCHED, frame, cookie);
        }
        return true;
    }

    private Level level(int serviceLevel) {
        if (serviceLevel < 0 || serviceLevel >= LEVELS) {
            throw new IllegalArgumentException("no service level: " + serviceLevel);
        }
        if (levels[serviceLevel] == null) {
            levels[serviceLevel] = new Level(nic.lane(serviceLevel));
        }
        return levels[serviceLevel];
    }

    private Envelope envelope(int mac) {
        return envelopes.computeIfAbsent(mac, peer -> new Envelope(nic, peer, 0));
    }

    private void fetched(Frame frame, long cookie) {
        if (failed) {
            nic.network().release(frame);
            return;
        }
        Level level = levels[frame.serviceLevel()];
        if (frame.destination() == nic.mac() && nic.loopback() != null) {
            level.taken--;
            tellSent(cookie, nic.network().nowNs());
            nic.loopback().carry(frame);
        } else {
            level.add(frame, cookie);
            nic.list(level);
        }
    }

    private void tellSent(long cookie, long nicNs) {
        long seenNs = side == null ? nicNs : side.seenNs(nicNs);
        nic.network().events().schedule(seenNs, this, SENT, nicNs, cookie); // not here: it may send the next one
    }

    /** Takes a packet for this QP. */
    void receive(Packet came, Frame frame, boolean checksIcrc) {
        if (failed || checksIcrc && !envelope(frame.source()).isSound(frame)) {
            nic.counters().damaged += failed ? 0 : 1;
            return;
        }
        source = frame.source();
        responder.receive(came, grh);
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        switch (kind) {
            case FETCHED -> fetched((Frame) subject, argument);
            case SENT -> {
                if (!failed) {
                    application.sent(argument, (Long) subject);
                }
            }
            default -> {
                Datagram datagram = (Datagram) subject;
                if (!failed) {
                    application.arrived(datagram.mac, datagram.qpn, datagram.bytes, 0, datagram.bytes.limit(),
                            datagram.nicNs);
                }
            }
        }
    }

    /** The host died. */
    void fail() {
        failed = true;
        for (Level level : levels) {
            while (level != null && level.size > 0) {
                nic.network().release(level.frames[level.first]);
                level.first = (level.first + 1) % DEPTH;
                level.size--;
            }
        }
    }

    // ---- the receive that is always there

    @Override
    public long capacity() {
        return Grh.BYTES + mtu;
    }

    @Override
    public WcStatus place(long from, ByteBuffer bytes, int at, int length) {
        if (from == Grh.BYTES) {
            packet = bytes;
            payload = at;
        }
        payloadBytes = (int) (from + length - Grh.BYTES);
        return WcStatus.SUCCESS;
    }

    @Override
    public boolean complete(int length, boolean hasImmediate, int immediate, int sourceQpn) {
        long nowNs = nic.network().nowNs();
        if (payloadBytes == 0) {
            packet = grh;
            payload = 0;
        }
        if (side == null) {
            application.arrived(source, sourceQpn, packet, payload, payloadBytes, nowNs);
        } else {
            ByteBuffer copy = ByteBuffer.allocate(payloadBytes).put(0, packet, payload, payloadBytes);
            nic.network().events().schedule(side.seenNs(nowNs), this, ARRIVED,
                    new Datagram(source, sourceQpn, copy, nowNs), 0);
        }
        return true;
    }

    @Override
    public void fail(WcStatus status) {
        throw new IllegalStateException("no key refuses: " + status);
    }
}
