package org.jvrpc.roce.cm;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jvrpc.roce.cm.CmConnection.State;
import org.jvrpc.roce.cm.CmCounters.Drop;
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

/** What a message means that came to QP 1. */
final class Arrivals {

    /** An MRA's code of 2.1 s, for a consumer that is late. */
    private static final int SERVICE_TIMEOUT = 19;
    private static final double UNIT_NS = 4096;
    private static final byte[] NONE = Exchange.NONE;

    private final Exchange exchange;
    private final Connections connections;
    private final CmCounters counters;
    private final CmSettings settings;

    Arrivals(Exchange exchange) {
        this.exchange = exchange;
        this.connections = exchange.connections;
        this.counters = exchange.counters;
        this.settings = exchange.settings;
    }

    /** Takes a MAD that came to QP 1. @param from by the IP header */
    void receive(ByteBuffer mad, CmPeer from, long nowNs) {
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
                    exchange.establish(c, nowNs);
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
        Object listener = exchange.services.get(Req.serviceId(mad));
        if (listener == null) {
            counters.refused(Verdict.SERVICE_ID);
            refuse(mad, from, RejectReason.INVALID_SERVICE_ID);
        } else if (connections.isConnected(from, Req.qpn(mad))) {
            // The old connection is left to its retries: a REQ does not prove who sent it.
            counters.refused(Verdict.STALE);
            refuse(mad, from, RejectReason.STALE_CONNECTION);
        } else {
            makeRoom(from);
            open(mad, from, listener, nowNs);
        }
    }

    private void makeRoom(CmPeer from) {
        CmConnection old = connections.inTheWayOf(from.gid());
        if (old != null) {
            counters.dropped(Drop.CAPPED);
            exchange.forget(old);
        }
    }

    private void refuse(ByteBuffer req, CmPeer from, int reason) {
        if (reason != 0) {
            exchange.send(Rej.create(Mad.tid(req), 0, Mad.localId(req), Rej.OF_REQ, reason, NONE), from);
        }
    }

    private void open(ByteBuffer mad, CmPeer from, Object listener, long nowNs) {
        CmConnection c =
                new CmConnection(from, connections.newId(), Mad.tid(mad), false, State.REQ_RCVD, listener);
        c.remoteId = Mad.localId(mad);
        c.remoteQpn = Req.qpn(mad);
        c.request = bytes(mad);
        connections.add(c);
        connections.due(c, nowNs + settings.halfOpenNs());
        exchange.events.add(CmEvent.requested(c, ConnectRequest.decode(mad)));
    }

    private static byte[] bytes(ByteBuffer mad) {
        byte[] bytes = new byte[Mad.BYTES];
        mad.get(0, bytes);
        return bytes;
    }

    /**
     * A REQ came with the id of one that came before. Each draws one message, which is no longer than itself: no more
     * bytes go to a source that has not shown that it gets them than came from it.
     */
    private void again(CmConnection c, ByteBuffer mad) {
        if (c.request == null || c.message == null && c.state == State.TIMEWAIT
                || !Arrays.equals(c.request, bytes(mad))) {
            counters.dropped(Drop.OUT_OF_PLACE);
            return;
        }
        if (c.state != State.REQ_RCVD) {
            exchange.send(c.message, c.peer);
        } else { // the first REQ draws the answer, each other one an MRA
            exchange.send(Mra.create(c.tid, c.localId, c.remoteId, Rej.OF_REQ, SERVICE_TIMEOUT), c.peer);
        }
    }

    private void reply(ByteBuffer mad, CmPeer from, long nowNs) {
        if (Rep.check(mad) != Verdict.ACCEPTED) {
            counters.refused(Rep.check(mad));
            return;
        }
        if (connections.byLocal(Mad.remoteId(mad)) == null) { // given up, which the peer does not know
            counters.dropped(Drop.UNKNOWN);
            exchange.send(Rej.create(Mad.tid(mad), Mad.remoteId(mad), Mad.localId(mad), Rej.OF_REP,
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
            exchange.events.add(CmEvent.replied(c, ConnectReply.decode(mad)));
        } else if (c.active && c.state == State.ESTABLISHED && c.remoteId == Mad.localId(mad)) {
            exchange.send(Rtu.create(c.tid, c.localId, c.remoteId), c.peer); // the one before was lost
        } else {
            counters.dropped(Drop.OUT_OF_PLACE);
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
                exchange.events.add(CmEvent.refused(c, Rej.reason(mad), Rej.privateData(mad)));
            }
            case REQ_RCVD, REP_SENT, REP_RCVD, ESTABLISHED -> exchange.end(c, nowNs);
            default -> counters.dropped(Drop.OUT_OF_PLACE);
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
                exchange.end(c, nowNs);
            }
            case DREQ_SENT -> connections.rest(c, nowNs);
            case TIMEWAIT -> { }
            default -> {
                counters.dropped(Drop.OUT_OF_PLACE);
                return;
            }
        }
        exchange.send(Drep.create(Mad.tid(mad), c.localId, c.remoteId), c.peer);
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
