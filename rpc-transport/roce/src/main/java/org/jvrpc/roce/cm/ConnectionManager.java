package org.jvrpc.roce.cm;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jvrpc.roce.cm.CmConnection.State;
import org.jvrpc.roce.cm.CmCounters.Drop;
import org.jvrpc.roce.cm.CmEvent.Kind;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Drep;
import org.jvrpc.roce.cm.message.Dreq;
import org.jvrpc.roce.cm.message.Gid;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.cm.message.Mra;
import org.jvrpc.roce.cm.message.Rej;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.roce.cm.message.Rep;
import org.jvrpc.roce.cm.message.Req;
import org.jvrpc.roce.cm.message.Rtu;
import org.jvrpc.roce.cm.message.Verdict;

/**
 * The connection manager of a node. The active side sends its REQ again until there is an answer, and its RTU until it
 * hears of the peer; the passive side sends nothing by itself before the peer has shown that it gets what is sent to
 * its address: the same REQ again draws the same answer again. One thread at a time; the caller drains {@link #poll}
 * after each call. Source: IBA volume 1, 12.9.
 */
public final class ConnectionManager {

    /** What {@link #deadlineNs} returns when nothing waits for time to pass. */
    public static final long NEVER = Long.MAX_VALUE;

    /** An MRA's code of 2.1 s, for a consumer that is late. */
    private static final int SERVICE_TIMEOUT = 19;
    private static final double UNIT_NS = 4096;
    private static final int MOST_CREDIT = 2;
    private static final byte[] NONE = {};

    private final CmSink sink;
    private final CmSettings settings;
    private final IntSupplier random;
    private final long caGuid;
    private final Connections connections;
    private final Map<Long, Object> services = new HashMap<>();
    private final ArrayDeque<CmEvent> events = new ArrayDeque<>();
    private final CmCounters counters = new CmCounters();

    /**
     * Makes one without connections.
     *
     * @param random bits that nobody can foretell
     * @param caGuid the node's, in REQs and REPs
     */
    public ConnectionManager(CmSink sink, CmSettings settings, IntSupplier random, long caGuid) {
        this.sink = sink;
        this.settings = settings;
        this.random = random;
        this.caGuid = caGuid;
        this.connections = new Connections(settings, random);
    }

    public CmCounters counters() {
        return counters;
    }

    /** Returns the next event, or null. */
    public CmEvent poll() {
        return events.poll();
    }

    /** Returns when {@link #tick} is to be called, or {@link #NEVER}. */
    public long deadlineNs() {
        return connections.deadlineNs();
    }

    /** Returns how many connections there are, those that rest included. */
    public int size() {
        return connections.size();
    }

    /** Returns how many requests came whose senders have not shown that they get what is sent to them. */
    public int halfOpen() {
        return connections.halfOpen();
    }

    /** Returns how many disconnects wait for their answer. */
    public int disconnecting() {
        return connections.disconnecting();
    }

    /** Returns true when nothing is kept. For tests. */
    boolean isEmpty() {
        return connections.isEmpty();
    }

    // ---- the consumer

    /** Takes a service id. @return false when it is taken */
    public boolean listen(long serviceId, Object attachment) {
        return services.putIfAbsent(serviceId, attachment) == null;
    }

    /** Gives a service id free: requests are refused from now on. */
    public void unlisten(long serviceId) {
        services.remove(serviceId);
    }

    /** Asks a peer for a connection. @param template without ids, TID and CA GUID */
    public CmConnection connect(ConnectRequest template, CmPeer to, Object attachment, long nowNs) {
        long tid = (long) random.getAsInt() << 32 | random.getAsInt() & 0xffff_ffffL;
        CmConnection c = new CmConnection(to, connections.newId(), tid, true, State.REQ_SENT, attachment);
        c.proven = true; // it is this side that asks
        c.localQpn = template.qpn();
        c.message = template.withIds(tid, c.localId, caGuid).encode();
        connections.add(c);
        repeat(c, nowNs);
        return c;
    }

    /** The QP of a connection that the peer accepted is ready. @return false when the peer gave up meanwhile */
    public boolean ready(CmConnection c, long nowNs) {
        if (c.state != State.REP_RCVD) {
            return false;
        }
        connections.move(c, State.ESTABLISHED);
        c.message = Rtu.create(c.tid, c.localId, c.remoteId);
        c.sends = 0;
        repeat(c, nowNs);
        return true;
    }

    /** A packet of the connection came that its peer alone can have sent. */
    public void heard(CmConnection c, long nowNs) {
        if (c.state == State.REP_SENT) {
            establish(c, nowNs);
        } else if (c.active && c.state == State.ESTABLISHED) {
            connections.notDue(c);
        }
    }

    /**
     * Accepts a request.
     *
     * @param template without ids, TID and CA GUID
     * @return false when the peer gave up meanwhile
     */
    public boolean accept(CmConnection c, ConnectReply template, long nowNs) {
        if (c.state != State.REQ_RCVD) {
            return false;
        }
        c.localQpn = template.qpn();
        c.message = template.withIds(c.tid, c.localId, c.remoteId, caGuid).encode();
        connections.move(c, State.REP_SENT);
        connections.due(c, nowNs + settings.halfOpenNs());
        answer(c);
        return true;
    }

    /** Rejects a request. @return false when the peer gave up meanwhile */
    public boolean reject(CmConnection c, int reason, byte[] data, long nowNs) {
        if (c.state != State.REQ_RCVD) {
            return false;
        }
        c.message = Rej.create(c.tid, c.localId, c.remoteId, Rej.OF_REQ, reason, data);
        answer(c);
        connections.rest(c, nowNs); // the same request again is not a new one
        return true;
    }

    /** Gives up a connection, whichever way its state asks for: tells the peer, where it can be told. */
    public void disconnect(CmConnection c, long nowNs) {
        switch (c.state) {
            case REQ_SENT -> {
                send(Rej.create(c.tid, c.localId, 0, Rej.OF_OTHER, RejectReason.TIMEOUT, caGuid), c.peer);
                connections.remove(c);
            }
            case REP_RCVD -> {
                send(Rej.create(c.tid, c.localId, c.remoteId, Rej.OF_REP, RejectReason.CONSUMER, NONE), c.peer);
                connections.rest(c, nowNs);
            }
            case REQ_RCVD -> reject(c, RejectReason.CONSUMER, NONE, nowNs);
            case REP_SENT -> c.closing = true; // nothing may be sent yet
            case ESTABLISHED -> sendDreq(c, nowNs);
            default -> { }
        }
    }

    private void sendDreq(CmConnection c, long nowNs) {
        c.dreqTid = (long) random.getAsInt() << 32 | random.getAsInt() & 0xffff_ffffL;
        c.message = Dreq.create(c.dreqTid, c.localId, c.remoteId, c.remoteQpn);
        c.sends = 0;
        connections.move(c, State.DREQ_SENT);
        repeat(c, nowNs);
    }

    // ---- time

    /** Does what is due. */
    public void tick(long nowNs) {
        for (CmConnection c = connections.nextDue(nowNs); c != null; c = connections.nextDue(nowNs)) {
            due(c, nowNs);
        }
    }

    private void due(CmConnection c, long nowNs) {
        switch (c.state) {
            case REQ_SENT -> {
                if (c.sends <= settings.requestRepeats()) {
                    repeat(c, nowNs);
                } else {
                    disconnect(c, nowNs);
                    events.add(CmEvent.refused(c, 0, NONE));
                }
            }
            case ESTABLISHED -> {
                if (c.sends <= settings.otherRepeats()) {
                    repeat(c, nowNs);
                }
            }
            case DREQ_SENT -> {
                if (c.sends <= settings.otherRepeats()) {
                    repeat(c, nowNs);
                } else {
                    connections.rest(c, nowNs);
                }
            }
            case REQ_RCVD, REP_SENT -> {
                connections.remove(c);
                events.add(CmEvent.of(Kind.ENDED, c));
            }
            default -> connections.remove(c);
        }
    }

    private void repeat(CmConnection c, long nowNs) {
        send(c.message, c.peer);
        c.sends++;
        connections.due(c, nowNs + settings.repeatNs(c.sends));
    }

    private void send(ByteBuffer mad, CmPeer to) {
        sink.send(mad, to);
    }

    /** Sends the answer to a REQ, where the REQs that came allow it. */
    private void answer(CmConnection c) {
        if (c.credit > 0) {
            c.credit--;
            send(c.message, c.peer);
        }
    }

    // ---- messages

    /** Takes a MAD that came to QP 1. @param from by the IP header */
    public void receive(ByteBuffer mad, CmPeer from, long nowNs) {
        Verdict verdict = Mad.check(mad);
        if (verdict != Verdict.ACCEPTED) {
            counters.refused(verdict);
            return;
        }
        switch (Mad.attribute(mad)) {
            case Mad.REQ -> request(mad, from, nowNs);
            case Mad.REP -> reply(mad, from, nowNs);
            case Mad.REJ -> rejection(mad, from, nowNs);
            case Mad.DREQ -> disconnection(mad, from, nowNs);
            case Mad.RTU -> {
                CmConnection c = find(mad, from, true);
                if (c != null && !c.active && c.state == State.REP_SENT) {
                    establish(c, nowNs);
                } else if (c != null) {
                    counters.dropped(Drop.OUT_OF_PLACE);
                }
            }
            case Mad.MRA -> wait(mad, from, nowNs);
            default -> disconnected(mad, from, nowNs);
        }
    }

    /** Returns the connection that a message is of; null when it is nobody's, which is counted. */
    private CmConnection find(ByteBuffer mad, CmPeer from, boolean knowsBoth) {
        CmConnection c = connections.byLocal(Mad.remoteId(mad));
        if (c == null) {
            counters.dropped(Drop.UNKNOWN);
            return null;
        }
        boolean same = c.peer.gid().equals(from.gid()) && (!knowsBoth || c.remoteId == Mad.localId(mad));
        boolean ownTid = Mad.attribute(mad) == Mad.DREQ || Mad.attribute(mad) == Mad.DREP;
        if (!same || !ownTid && Mad.tid(mad) != c.tid) {
            counters.dropped(Drop.STRANGER);
            return null;
        }
        return c;
    }

    private void request(ByteBuffer mad, CmPeer from, long nowNs) {
        Verdict verdict = Req.check(mad, from.gid());
        if (verdict != Verdict.ACCEPTED) {
            counters.refused(verdict);
            refuse(mad, from, verdict.reason());
            return;
        }
        CmConnection known = connections.byRemote(from.gid(), Mad.localId(mad));
        if (known != null) {
            again(known, mad);
            return;
        }
        Object listener = services.get(Req.serviceId(mad));
        if (listener == null) {
            counters.refused(Verdict.SERVICE_ID);
            refuse(mad, from, RejectReason.INVALID_SERVICE_ID);
        } else if (!connections.mayOpen(from.gid())) {
            counters.dropped(Drop.CAPPED);
        } else {
            open(mad, from, listener, nowNs);
        }
    }

    private void refuse(ByteBuffer req, CmPeer from, int reason) {
        if (reason != 0) {
            send(Rej.create(Mad.tid(req), 0, Mad.localId(req), Rej.OF_REQ, reason, NONE), from);
        }
    }

    private void open(ByteBuffer mad, CmPeer from, Object listener, long nowNs) {
        CmConnection c =
                new CmConnection(from, connections.newId(), Mad.tid(mad), false, State.REQ_RCVD, listener);
        c.remoteId = Mad.localId(mad);
        c.remoteQpn = Req.qpn(mad);
        c.request = bytes(mad);
        c.credit = 1;
        connections.add(c);
        connections.due(c, nowNs + settings.halfOpenNs());
        events.add(CmEvent.requested(c, ConnectRequest.decode(mad)));
    }

    private static byte[] bytes(ByteBuffer mad) {
        byte[] bytes = new byte[Mad.BYTES];
        mad.get(0, bytes);
        return bytes;
    }

    /** A REQ came with the id of one that came before. */
    private void again(CmConnection c, ByteBuffer mad) {
        if (c.request == null || c.message == null && c.state == State.TIMEWAIT
                || !Arrays.equals(c.request, bytes(mad))) {
            counters.dropped(Drop.OUT_OF_PLACE);
            return;
        }
        c.credit = Math.min(MOST_CREDIT, c.credit + 1);
        if (c.state != State.REQ_RCVD) {
            answer(c);
        } else if (c.credit == MOST_CREDIT) { // one stays for the answer
            c.credit--;
            send(Mra.create(c.tid, c.localId, c.remoteId, Rej.OF_REQ, SERVICE_TIMEOUT), c.peer);
        }
    }

    private void reply(ByteBuffer mad, CmPeer from, long nowNs) {
        if (Rep.check(mad) != Verdict.ACCEPTED) {
            counters.refused(Rep.check(mad));
            return;
        }
        if (connections.byLocal(Mad.remoteId(mad)) == null) { // given up, which the peer does not know
            counters.dropped(Drop.UNKNOWN);
            send(Rej.create(Mad.tid(mad), Mad.remoteId(mad), Mad.localId(mad), Rej.OF_REP,
                    RejectReason.INVALID_COMMUNICATION_ID, NONE), from);
            return;
        }
        CmConnection c = find(mad, from, false);
        if (c == null) {
            return;
        }
        if (c.active && c.state == State.REQ_SENT) {
            c.remoteId = Mad.localId(mad);
            c.remoteQpn = Rep.qpn(mad);
            connections.move(c, State.REP_RCVD);
            connections.notDue(c);
            events.add(CmEvent.replied(c, ConnectReply.decode(mad)));
        } else if (c.active && c.state == State.ESTABLISHED && c.remoteId == Mad.localId(mad)) {
            send(Rtu.create(c.tid, c.localId, c.remoteId), c.peer); // the one before was lost
        } else {
            counters.dropped(Drop.OUT_OF_PLACE);
        }
    }

    private void establish(CmConnection c, long nowNs) {
        connections.prove(c);
        connections.notDue(c);
        connections.move(c, State.ESTABLISHED);
        c.request = null;
        c.message = null;
        if (c.closing) {
            sendDreq(c, nowNs);
        } else {
            events.add(CmEvent.of(Kind.ESTABLISHED, c));
        }
    }

    /** MRA: an answer takes longer. */
    private void wait(ByteBuffer mad, CmPeer from, long nowNs) {
        CmConnection c = find(mad, from, false);
        if (c != null && c.state == State.REQ_SENT && Mra.message(mad) == Rej.OF_REQ) {
            long waitNs = (long) Math.min(settings.longestMraNs(), Math.scalb(UNIT_NS, Mra.timeout(mad)));
            connections.due(c, nowNs + Math.max(waitNs, settings.repeatNs(c.sends)));
        } else if (c != null) {
            counters.dropped(Drop.OUT_OF_PLACE);
        }
    }

    private void rejection(ByteBuffer mad, CmPeer from, long nowNs) {
        CmConnection c = rejected(mad, from);
        if (c == null) {
            return;
        }
        switch (c.state) {
            case REQ_SENT -> {
                connections.remove(c);
                events.add(CmEvent.refused(c, Rej.reason(mad), Rej.privateData(mad)));
            }
            case REQ_RCVD, REP_SENT, REP_RCVD, ESTABLISHED -> end(c, nowNs);
            default -> counters.dropped(Drop.OUT_OF_PLACE);
        }
    }

    private void end(CmConnection c, long nowNs) {
        c.request = null;
        c.message = null;
        boolean told = c.closing;
        connections.rest(c, nowNs);
        if (!told) {
            events.add(CmEvent.of(Kind.ENDED, c));
        }
    }

    /** Returns what a REJ is of. One who gave up its REQ knows no id of this side. */
    private CmConnection rejected(ByteBuffer mad, CmPeer from) {
        if (Mad.remoteId(mad) != 0) {
            CmConnection c = connections.byLocal(Mad.remoteId(mad));
            return find(mad, from, c != null && c.state != State.REQ_SENT);
        }
        Gid gid = from.gid();
        CmConnection c = Rej.reason(mad) == RejectReason.TIMEOUT ? connections.byRemote(gid, Mad.localId(mad)) : null;
        if (c == null || c.tid != Mad.tid(mad)) {
            counters.dropped(c == null ? Drop.UNKNOWN : Drop.STRANGER);
            return null;
        }
        return c;
    }

    private void disconnection(ByteBuffer mad, CmPeer from, long nowNs) {
        CmConnection c = find(mad, from, true);
        if (c == null) {
            return;
        }
        if (Dreq.remoteQpn(mad) != c.localQpn) {
            counters.dropped(Drop.STRANGER);
            return;
        }
        switch (c.state) {
            case ESTABLISHED, REP_SENT, REP_RCVD -> {
                connections.prove(c);
                end(c, nowNs);
            }
            case DREQ_SENT -> connections.rest(c, nowNs);
            case TIMEWAIT -> { }
            default -> {
                counters.dropped(Drop.OUT_OF_PLACE);
                return;
            }
        }
        send(Drep.create(Mad.tid(mad), c.localId, c.remoteId), c.peer);
    }

    private void disconnected(ByteBuffer mad, CmPeer from, long nowNs) {
        CmConnection c = find(mad, from, true);
        if (c != null && c.state == State.DREQ_SENT && c.dreqTid == Mad.tid(mad)) {
            connections.rest(c, nowNs);
        } else if (c != null) {
            counters.dropped(Drop.OUT_OF_PLACE);
        }
    }
}
