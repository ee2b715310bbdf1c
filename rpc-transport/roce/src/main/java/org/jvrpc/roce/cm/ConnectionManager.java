package org.jvrpc.roce.cm;

import java.nio.ByteBuffer;
import java.util.function.IntSupplier;
import org.jvrpc.roce.cm.CmConnection.State;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Rej;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.roce.cm.message.Rtu;

/**
 * The connection manager of a node. The active side sends its REQ again until there is an answer, and its RTU until it
 * hears of the peer; the passive side sends nothing by itself before the peer has shown that it gets what is sent to
 * its address: the same REQ again draws the same answer again. One thread at a time; the caller drains {@link #poll}
 * after each call. Source: IBA volume 1, 12.9.
 */
public final class ConnectionManager {

    /** What {@link #deadlineNs} returns when nothing waits for time to pass. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final byte[] NONE = Exchange.NONE;

    private final long caGuid;
    private final Exchange exchange;
    private final Arrivals arrivals;
    private final Connections connections;
    private final CmSettings settings;

    /**
     * Makes one without connections.
     *
     * @param random bits that nobody can foretell
     * @param caGuid the node's, in REQs and REPs
     */
    public ConnectionManager(CmSink sink, CmSettings settings, IntSupplier random, long caGuid) {
        this.caGuid = caGuid;
        this.settings = settings;
        this.exchange = new Exchange(sink, settings, random);
        this.arrivals = new Arrivals(exchange);
        this.connections = exchange.connections;
    }

    public CmCounters counters() {
        return exchange.counters;
    }

    /** Returns the next event, or null. */
    public CmEvent poll() {
        return exchange.events.poll();
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

    /** Returns how many disconnects wait for their answer, or for the peer's proof that it is there. */
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
        return exchange.services.putIfAbsent(serviceId, attachment) == null;
    }

    /** Gives a service id free: requests are refused from now on. */
    public void unlisten(long serviceId) {
        exchange.services.remove(serviceId);
    }

    /** Asks a peer for a connection. @param template without ids, TID and CA GUID */
    public CmConnection connect(ConnectRequest template, CmPeer to, Object attachment, long nowNs) {
        long tid = exchange.newTid();
        CmConnection c = new CmConnection(to, connections.newId(), tid, true, State.REQ_SENT, attachment);
        c.proven = true; // it is this side that asks
        c.localQpn = template.qpn();
        c.message = template.withIds(tid, c.localId, caGuid).encode();
        connections.add(c);
        exchange.repeat(c, nowNs);
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
        exchange.repeat(c, nowNs);
        return true;
    }

    /** A packet of the connection came that its peer alone can have sent. */
    public void heard(CmConnection c, long nowNs) {
        if (c.state == State.REP_SENT) {
            exchange.establish(c, nowNs);
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
        exchange.send(c.message, c.peer);
        return true;
    }

    /** Rejects a request. @return false when the peer gave up meanwhile */
    public boolean reject(CmConnection c, int reason, byte[] data, long nowNs) {
        if (c.state != State.REQ_RCVD) {
            return false;
        }
        c.message = Rej.create(c.tid, c.localId, c.remoteId, Rej.OF_REQ, reason, data);
        exchange.send(c.message, c.peer);
        connections.rest(c, nowNs); // the same request again is not a new one
        return true;
    }

    /** Gives up a connection, whichever way its state asks for: tells the peer, where it can be told. */
    public void disconnect(CmConnection c, long nowNs) {
        switch (c.state) {
            case REQ_SENT -> {
                exchange.send(Rej.create(c.tid, c.localId, 0, Rej.OF_OTHER, RejectReason.TIMEOUT, caGuid), c.peer);
                connections.remove(c);
            }
            case REP_RCVD -> {
                exchange.send(
                        Rej.create(c.tid, c.localId, c.remoteId, Rej.OF_REP, RejectReason.CONSUMER, NONE), c.peer);
                connections.rest(c, nowNs);
            }
            case REQ_RCVD -> reject(c, RejectReason.CONSUMER, NONE, nowNs);
            case REP_SENT -> connections.closeWhenProven(c); // nothing may be sent yet
            case ESTABLISHED -> exchange.sendDreq(c, nowNs);
            default -> { }
        }
    }

    /**
     * Nothing will be sent or received any more: gives up what is left, once each. A peer that was accepted and has not
     * shown that it is there hears nothing, as its REQ has had its answer.
     */
    public void farewell(long nowNs) {
        for (CmConnection c : connections.all()) {
            disconnect(c, nowNs);
        }
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
                    exchange.repeat(c, nowNs);
                } else {
                    disconnect(c, nowNs);
                    exchange.events.add(CmEvent.refused(c, 0, NONE));
                }
            }
            case ESTABLISHED -> {
                if (c.sends <= settings.otherRepeats()) {
                    exchange.repeat(c, nowNs);
                }
            }
            case DREQ_SENT -> {
                if (c.sends <= settings.otherRepeats()) {
                    exchange.repeat(c, nowNs);
                } else {
                    connections.rest(c, nowNs);
                }
            }
            case REQ_RCVD, REP_SENT -> exchange.forget(c);
            default -> connections.remove(c);
        }
    }

    /** Takes a MAD that came to QP 1. @param from by the IP header */
    public void receive(ByteBuffer mad, CmPeer from, long nowNs) {
        arrivals.receive(mad, from, nowNs);
    }
}
