package org.jvrpc.router.command;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.home.Contact;
import org.jvrpc.router.peer.Links;
import org.jvrpc.router.peer.PeerMessage;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;

/** Which QP of this host is connected to which of another host. The sessions' thread. */
final class RemoteJoins {

    /** In place of a frame's number: nobody waits for the other end. */
    static final int BOUND = -1;
    /** How long a listener waits for the connector's end. */
    private static final long BIND_NS = 4_000_000_000L;
    private static final int MOST = 65_535;

    private final Sessions sessions;
    private final Links links;
    private final Map<Key, Join> joins = new HashMap<>();
    /** Also those that have ended and whose QP is not destroyed yet: their numbers are in use. */
    private final Map<End, Join> ends = new HashMap<>();
    /** Numbers that were used, the oldest first. */
    private final Queue<Integer> free = new ArrayDeque<>();
    /** Told of behind all that has come by now: a device of another host that ends is as many messages. */
    private final Joins.Lost cut = new Joins.Lost();
    private boolean tellsOfCut;
    private int lastNumber;

    /**
     * A connection.
     *
     * @param connects this host's end has asked for it
     * @param epoch that the connector's router gave it
     */
    record Key(String host, boolean connects, long epoch) { }

    private static final class Join {

        final Key key;
        final End end;
        final RemoteConnection to;
        final Contact contact;
        final long startNs;
        /** Number of the listener's frame that is to be answered. */
        int waits;
        boolean ended;

        Join(Key key, End end, RemoteConnection to, Contact contact, int waits, long startNs) {
            this.key = key;
            this.end = end;
            this.to = to;
            this.contact = contact;
            this.waits = waits;
            this.startNs = startNs;
        }
    }

    RemoteJoins(Sessions sessions, Links links) {
        this.sessions = sessions;
        this.links = links;
    }

    /** Returns a number for a connection. @throws RefusedException BUSY */
    int take() {
        if (lastNumber < MOST) {
            return ++lastNumber;
        }
        Integer number = free.poll();
        if (number == null) {
            throw new RefusedException(Refusal.BUSY, "connections to other hosts=" + MOST + " limit=" + MOST);
        }
        return number;
    }

    void give(int number) {
        free.add(number);
    }

    /**
     * Connects a QP.
     *
     * @param waits number of its frame, which is answered by {@link #bound}; {@link #BOUND}: none
     * @throws RefusedException when it cannot be; the number is not given back
     */
    void join(Key key, End end, RemoteConnection to, Contact contact, int waits) {
        if (ends.containsKey(end) || sessions.joins().has(end)) {
            throw new RefusedException(Refusal.NOT_YOURS, "qp=" + end.qp() + " is connected to another QP");
        }
        end.session().membership().take(QuotaKind.CONNECTIONS, 1);
        try {
            sessions.engine().connect(end.session().device(), end.qp(), to);
        } catch (RuntimeException e) {
            end.session().membership().give(QuotaKind.CONNECTIONS, 1);
            throw e;
        }
        Join join = new Join(key, end, to, contact, waits, sessions.nowNs());
        joins.put(key, join);
        ends.put(end, join);
    }

    /** The connector's end takes messages: the listener is told. */
    void bound(Key key) {
        Join join = joins.get(key);
        if (join != null && join.waits != BOUND) {
            join.end.session().say(ControlFrame.of(Command.DONE, join.waits, join.end.qp()));
            join.waits = BOUND;
        }
    }

    boolean has(Key key) {
        return joins.containsKey(key);
    }

    boolean has(End end) {
        return ends.containsKey(end);
    }

    int count() {
        return joins.size();
    }

    /** Returns true while a listener waits. */
    boolean isWaiting() {
        return joins.values().stream().anyMatch(join -> join.waits != BOUND);
    }

    void tick(long nowNs) {
        end(those(one -> one.waits != BOUND && nowNs - one.startNs > BIND_NS),
                join -> "the connector's router did not answer in ms=" + BIND_NS / 1_000_000, true);
    }

    private List<Join> those(Predicate<Join> kind) {
        return joins.values().stream().filter(kind).toList();
    }

    /** The other router ends it. */
    void cut(Key key, String why) {
        Join join = joins.get(key);
        if (join != null) {
            end(join, why, false, cut);
            tellOfCut();
        }
    }

    private void tellOfCut() {
        if (!tellsOfCut) {
            tellsOfCut = true;
            sessions.post(() -> {
                tellsOfCut = false;
                cut.tell();
            });
        }
    }

    /** All connections to a host are lost. */
    void lost(String host, String why) {
        end(those(join -> join.key.host().equals(host)), join -> why, false);
    }

    /** Ends connections that must not be; returns them. */
    List<Contact> endThose(Predicate<Contact> unwanted) {
        List<Join> ended = those(join -> unwanted.test(join.contact));
        end(ended, join -> "it must not be: " + join.contact, true);
        return ended.stream().map(join -> join.contact).toList();
    }

    private void end(List<Join> those, Function<Join, String> why, boolean tell) {
        Joins.Lost lost = new Joins.Lost();
        those.forEach(join -> end(join, why.apply(join), tell, lost));
        lost.tell();
    }

    private void end(Join join, String why, boolean tell, Joins.Lost lost) {
        forget(join, why, tell);
        if (join.waits != BOUND) {
            join.end.session().refuse(join.waits, join.end.qp(), new RefusedException(Refusal.PEER_ROUTER, why));
        }
        lost.add(join.end);
    }

    private void forget(Join join, String why, boolean tell) {
        joins.remove(join.key);
        join.ended = true;
        join.end.session().membership().give(QuotaKind.CONNECTIONS, 1);
        if (tell) {
            links.say(join.key.host(), new PeerMessage.Cut(join.key.epoch(), join.key.connects(), why));
        }
    }

    /** A QP is destroyed: nothing more comes for the number of its connection. */
    void gone(End end) {
        Join join = ends.remove(end);
        if (join == null) {
            return;
        }
        if (!join.ended) {
            forget(join, "the QP is gone", true);
        }
        give(join.to.own());
    }
}
