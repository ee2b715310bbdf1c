package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.guard.Pass;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.rare.Rare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slots of a session, and how they become more: the client asks, memory is made by the server's thread for that,
 * and the client is told, also when there is none. Poller thread.
 */
final class ServerSlots {

    private static final Logger LOG = LoggerFactory.getLogger(ServerSlots.class);
    /** Each time is a memory region more, of which a device has some thousands. */
    private static final int LEAST_TIMES = 2;
    /** How long a client may take to hear that its session ends. */
    private static final long FAREWELL_NS = 1_000_000_000L;

    private final ServerSession session;
    private final Link link;
    private final ServerControls controls;
    private final WireReader reader;
    private final int most;
    private ServerSlot[] slots = {};
    private int givenUp;
    private boolean growing;
    private boolean refused;
    private long refusedNs;

    /** @param most how many the client was promised, if there is memory */
    ServerSlots(ServerSession session, Link link, ServerControls controls, WireReader reader, int count, int most) {
        this.session = session;
        this.link = link;
        this.controls = controls;
        this.reader = reader;
        this.most = most;
        add(count);
    }

    private void add(int count) {
        ServerSlot[] all = Arrays.copyOf(slots, count);
        for (int i = slots.length; i < count; i++) {
            all[i] = session.gate().isWatching() ? new Gated(session, i, link.body(i), reader)
                    : new ServerSlot(session, i, link.body(i), reader);
        }
        slots = all;
    }

    /** A slot whose calls have to be let in. Of a class of its own, so that those of other servers look for nothing. */
    static final class Gated extends ServerSlot {

        Gated(ServerSession session, int index, ByteBuffer memory, WireReader reader) {
            super(session, index, memory, reader);
        }

        @Override
        void end() {
            super.end();
            Pass pass = takePass();
            if (pass != null) {
                pass.end();
            }
        }
    }

    /** A caller waits for its answer no more. */
    void giveUp(ServerSlot slot, int callId) {
        if (slot.cancel(callId)) {
            givenUp++;
        }
    }

    /** A call is answered. */
    void answers(ServerSlot slot) {
        if (slot.takeGivenUp()) {
            givenUp--;
        }
    }

    /** Returns how many calls are under way that nobody waits for. */
    int givenUp() {
        return givenUp;
    }

    /** No call is answered any more by its handler: all are told why, but for those that are still on their way in. */
    void refuseAll(RpcException why) {
        LOG.info("session {} is ended: {}", session.id(), why.getMessage());
        refused = true;
        refusedNs = session.server().clock().nanoTime();
        for (ServerSlot slot : slots) {
            if (slot.isBusy() && (slot.isAsync() || session.heavy().leave(slot))) {
                session.answer(slot, slot.fail(why, true));
            }
        }
    }

    boolean areRefused() {
        return refused;
    }

    /** Returns true when the client has what it was told, or takes too long over it. */
    boolean haveLeft() {
        return session.open() == 0 && longestAnswer() == 0 && !link.isBehind() && link.hasLeft()
                || session.server().clock().nanoTime() - refusedNs > FAREWELL_NS;
    }

    /** The session is over: gives back what calls have. */
    void release(HeavyCalls heavy) {
        heavy.giveUp();
        for (ServerSlot slot : slots) {
            if (!heavy.isUnderWay(slot.index())) { // else its handler may still read its arguments
                slot.end();
            }
            slot.releaseResponse();
        }
    }

    /** Returns a slot by its number from the wire, or null. */
    ServerSlot find(int index) {
        return index < slots.length ? slots[index] : null;
    }

    /** The client has fetched a long answer. */
    void release(int callId) {
        ServerSlot slot = find(RpcHeader.slot(callId));
        if (slot != null && !slot.isBusy() && slot.callId() == callId) {
            slot.releaseResponse();
        }
    }

    /** Returns the bytes of the longest answer that the client has not fetched, or 0. */
    int longestAnswer() {
        int longest = 0;
        for (ServerSlot slot : slots) {
            longest = Math.max(longest, slot.response() == null ? 0 : slot.response().buffer().capacity());
        }
        return longest;
    }

    /** The client asks for so many in all. */
    void ask(int wanted) {
        String refusal = grow(wanted);
        if (refusal != null) {
            session.breakOff(refusal);
        }
    }

    /** The same; returns what is wrong with that, or null. */
    String grow(int wanted) {
        if (growing || wanted > most || wanted < Math.min(LEAST_TIMES * slots.length, most)
                || wanted <= slots.length) {
            Rare.reached("a client asks for slots that it may not");
            return "asks for slots=" + wanted + " of=" + most + " has=" + slots.length + (growing ? " again" : "");
        }
        growing = true;
        try {
            session.server().allocate(() -> make(wanted));
        } catch (RpcException | OutOfMemoryError e) { // the server is over, or has no thread for it
            grown(slots.length);
        }
        return null;
    }

    /** The thread that makes memory. */
    private void make(int wanted) {
        Link.Growth growth;
        try {
            growth = link.prepare(wanted, Protocol.CALLS.requests(wanted));
        } catch (RpcException | OutOfMemoryError e) {
            Rare.reached("a session gets no more slots");
            LOG.info("session {} gets no more slots: {}", session.id(), e.getMessage());
            session.finish(() -> grown(slots.length));
            return;
        }
        try {
            session.finish(() -> made(growth, wanted));
        } catch (OutOfMemoryError e) { // nobody will
            growth.close();
            throw e;
        }
    }

    private void made(Link.Growth growth, int wanted) {
        if (session.isBuried()) {
            growth.close();
        } else {
            link.grow(growth);
            grown(link.failure() == null ? wanted : slots.length); // a link that failed ends with the next poll
        }
    }

    private void grown(int count) {
        growing = false;
        int credits = Protocol.CALLS.oneWayCredits(count) - Protocol.CALLS.oneWayCredits(slots.length);
        add(count);
        if (session.counters() != null) {
            session.counters().granted(count, Protocol.CALLS.oneWayCredits(count));
        }
        controls.oweGrown(count, credits, Protocol.CALLS.oneWayCredits(count));
        session.hasChores();
    }
}
