package org.jvrpc.router.command;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.home.Contact;

/**
 * Which QP of this host sends to which. A QP has one peer, both ways: who names one that has another is refused, and a
 * half that waits for its other ends when that goes elsewhere. The sessions' thread.
 */
final class Joins {

    private final Engine engine;
    /** Whom a QP sends to. */
    private final Map<End, Join> from = new HashMap<>();
    /** Who sends to a QP. */
    private final Map<End, End> senders = new HashMap<>();

    /** QPs whose peers are gone, by their sessions: each has its device end all of them at once. */
    static final class Lost {

        private final Map<ControlSession, List<Integer>> qps = new LinkedHashMap<>();

        void add(End end) {
            qps.computeIfAbsent(end.session(), session -> new ArrayList<>()).add(end.qp());
        }

        /** Has those ended that were added since it was called last. */
        void tell() {
            Map<ControlSession, List<Integer>> all = new LinkedHashMap<>(qps);
            qps.clear();
            all.forEach(ControlSession::disconnected);
        }
    }

    /** @param managed ends are told of each other's end */
    record Join(End peer, Contact contact, boolean managed) { }

    Joins(Engine engine) {
        this.engine = engine;
    }

    /** Has a QP send to another. @throws RefusedException when one of them has another peer */
    void join(End one, End other, Contact contact, boolean managed) {
        Join there = from.get(other);
        End sender = senders.get(other);
        if (from.containsKey(one) || there != null && !there.peer().equals(one) || sender != null) {
            throw new RefusedException(Refusal.NOT_YOURS, "the peer is connected to another QP, or this one is: qp="
                    + one.qp() + " peer qp=" + other.qp());
        }
        End waiting = senders.get(one);
        if (managed) {
            one.session().membership().take(QuotaKind.CONNECTIONS, 1);
        }
        if (waiting != null && !waiting.equals(other)) {
            end(waiting); // its peer goes elsewhere: nothing of it is delivered from here on
        }
        try {
            engine.connect(one.session().device(), one.qp(), other.session().device(), other.qp());
        } catch (RuntimeException e) {
            giveBack(one, managed);
            throw e;
        }
        from.put(one, new Join(other, contact, managed));
        senders.put(other, one);
    }

    /** Has two QPs send to each other. */
    void joinBoth(End connector, End listener, Contact contact) {
        join(connector, listener, contact, true);
        try {
            join(listener, connector, contact, true);
        } catch (RefusedException e) {
            end(connector);
            throw e;
        }
    }

    private static void giveBack(End end, boolean managed) {
        if (managed) {
            end.session().membership().give(QuotaKind.CONNECTIONS, 1);
        }
    }

    private void end(End end) {
        forget(end);
        end.session().abandoned(end.qp());
    }

    private Join forget(End end) {
        Join join = from.remove(end);
        if (join != null) {
            senders.remove(join.peer(), end);
            giveBack(end, join.managed());
        }
        return join;
    }

    /** A QP is destroyed: its peer is told so, where they were connected by an address. */
    void gone(End end) {
        Lost lost = new Lost();
        gone(end, lost);
        lost.tell();
    }

    /** As {@link #gone(End)}. @param lost who tells its peer */
    void gone(End end, Lost lost) {
        Join join = forget(end);
        senders.remove(end);
        if (join != null && join.managed()) {
            forget(join.peer());
            lost.add(join.peer());
        }
    }

    /** Ends connections that must not be, at both ends; returns them. */
    Set<Contact> endThose(Predicate<Contact> unwanted) {
        List<End> ends = new ArrayList<>();
        Set<Contact> ended = Collections.newSetFromMap(new IdentityHashMap<>());
        from.forEach((end, join) -> {
            if (unwanted.test(join.contact())) {
                ends.add(end);
                ends.add(join.peer());
                ended.add(join.contact());
            }
        });
        Lost lost = new Lost();
        for (End end : ends) {
            if (forget(end) != null) {
                lost.add(end);
            }
        }
        lost.tell();
        return ended;
    }

    /** Returns true for a QP that sends, or is sent to. */
    boolean has(End end) {
        return from.containsKey(end) || senders.containsKey(end);
    }

    int count() {
        return from.size();
    }
}
