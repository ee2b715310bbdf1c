package org.jvrpc.roce.cm;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jvrpc.roce.cm.CmConnection.State;
import org.jvrpc.roce.cm.CmEvent.Kind;
import org.jvrpc.roce.cm.message.Dreq;

/** What a manager has, and the steps that the consumer, time and messages have in common. */
final class Exchange {

    static final byte[] NONE = {};

    final CmSettings settings;
    final Connections connections;
    final CmCounters counters = new CmCounters();
    final ArrayDeque<CmEvent> events = new ArrayDeque<>();
    /** Who listens, by service id. */
    final Map<Long, Object> services = new HashMap<>();
    private final CmSink sink;
    private final IntSupplier random;

    Exchange(CmSink sink, CmSettings settings, IntSupplier random) {
        this.sink = sink;
        this.settings = settings;
        this.random = random;
        this.connections = new Connections(settings, random);
    }

    long newTid() {
        return (long) random.getAsInt() << 32 | random.getAsInt() & 0xffff_ffffL;
    }

    void repeat(CmConnection c, long nowNs) {
        send(c.message, c.peer);
        c.sends++;
        connections.due(c, nowNs + settings.repeatNs(c.sends));
    }

    void send(ByteBuffer mad, CmPeer to) {
        sink.send(mad, to);
    }

    void sendDreq(CmConnection c, long nowNs) {
        c.dreqTid = newTid();
        c.message = Dreq.create(c.dreqTid, c.localId, c.remoteId, c.remoteQpn);
        c.sends = 0;
        connections.move(c, State.DREQ_SENT);
        repeat(c, nowNs);
    }

    void establish(CmConnection c, long nowNs) {
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

    void end(CmConnection c, long nowNs) {
        c.request = null;
        c.message = null;
        boolean told = c.closing;
        connections.rest(c, nowNs);
        if (!told) {
            events.add(CmEvent.of(Kind.ENDED, c));
        }
    }

    /** Gives up a half-open connection, of which its sender is not told: it may not be there. */
    void forget(CmConnection c) {
        connections.remove(c);
        events.add(CmEvent.of(Kind.ENDED, c));
    }
}
