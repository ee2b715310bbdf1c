package org.jvrpc.router.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jvrpc.router.ControlView;
import org.jvrpc.router.Home;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ConnectNote;
import org.jvrpc.softrnic.router.wire.ListenNote;
import org.jvrpc.softrnic.router.wire.Offer;

/**
 * Who listens where, and who wants to connect: those on this host. Who asks for an address that is on its way, or that
 * nobody knows yet, waits here a while instead of being refused. The sessions' thread.
 */
final class Meetings {

    /** Offers that are not answered and connectors that wait, of all tenants. */
    static final int MOST_ASKING = 256;
    /** How long who asks for an address that nobody knows is kept. */
    static final long UNKNOWN_NS = 2_000_000_000L;
    /** How long anybody is kept at the most, whatever time a connector has. */
    static final long LONGEST_NS = 60_000_000_000L;

    private final String host;
    private final ControlView view;
    private final Policy policy;
    private final Joins joins;
    private final LongSupplier clock;
    private final Map<Place, Listening> listeners = new HashMap<>();
    /** By the numbers of their offers, which those that are parked have, too; the oldest first. */
    private final Map<Integer, Asking> asking = new LinkedHashMap<>();
    private int lastOffer;

    private record Place(String address, int port) { }

    private record Listening(ControlSession session, int number) { }

    /**
     * Who wants to connect.
     *
     * @param awayNs when the address was last seen to be elsewhere; {@link #NEVER} while it was not
     * @param listener to whom it is offered; null while it is parked
     */
    private record Asking(End from, int id, ConnectNote note, long startNs, long awayNs, Listening listener) {

        static final long NEVER = Long.MIN_VALUE;

        Asking at(Listening met) {
            return new Asking(from, id, note, startNs, awayNs, met);
        }

        Asking away(long nowNs) {
            return new Asking(from, id, note, startNs, nowNs, null);
        }
    }

    Meetings(String host, ControlView view, Policy policy, Joins joins, LongSupplier clock) {
        this.host = host;
        this.view = view;
        this.policy = policy;
        this.joins = joins;
        this.clock = clock;
    }

    // Listeners.

    /** @throws RefusedException when somebody listens there already, or the address is not the tenant's */
    void listen(ControlSession session, ListenNote note) {
        Place place = new Place(note.address(), note.port());
        if (session.membership().addresses().stream().noneMatch(own -> own.text().equals(note.address()))) {
            throw new RefusedException(Refusal.NOT_YOURS, "tenant=" + session.tenant() + " has not address="
                    + note.address());
        }
        Listening has = listeners.get(place);
        if (has != null) {
            throw new RefusedException(Refusal.BUSY, "address=" + note.address() + " port=" + note.port()
                    + " is in use by a listener of device=" + has.session().number());
        }
        session.membership().take(QuotaKind.LISTENERS, 1);
        listeners.put(place, new Listening(session, note.listener()));
        lookAgain();
    }

    /** Ends a listener; those that were offered to it may still be answered. */
    boolean unlisten(ControlSession session, int number) {
        boolean removed = listeners.values().remove(new Listening(session, number));
        if (removed) {
            session.membership().give(QuotaKind.LISTENERS, 1);
        }
        return removed;
    }

    // Connectors.

    /** @throws RefusedException when it cannot be; else the answer comes later */
    void connect(End from, int id, ConnectNote note) {
        if (asking.values().stream().anyMatch(one -> one.from().equals(from))) {
            throw new RefusedException(Refusal.BUSY, "qp=" + from.qp() + " is being connected");
        }
        if (asking.size() >= MOST_ASKING) {
            throw new RefusedException(Refusal.BUSY, "connectors that wait on this host=" + asking.size() + " limit="
                    + MOST_ASKING);
        }
        from.session().membership().take(QuotaKind.HALF_OPEN, 1);
        int offer = ++lastOffer;
        asking.put(offer, new Asking(from, id, note, clock.getAsLong(), Asking.NEVER, null));
        look(offer);
    }

    /** Has a connector meet who listens, or refuses it, or leaves it parked. */
    private void look(int offer) {
        Asking one = asking.get(offer);
        try {
            Listening listener = find(offer, one);
            if (listener == null) {
                return;
            }
            ControlSession to = listener.session();
            policy.check(one.from().session().tenant(), to.tenant(), one.note().port(), clock.getAsLong());
            asking.put(offer, one.at(listener));
            ControlSession from = one.from().session();
            to.say(new Offer(offer, from.tenant().name(), from.address(), one.note().privateData())
                    .frame(Command.OFFER, 0, listener.number()));
        } catch (RefusedException e) {
            refuse(offer, e);
        }
    }

    /** Returns null where the connector is to wait. */
    private Listening find(int offer, Asking one) {
        String address = one.note().address();
        Home home = view.home(new VirtualAddress(address));
        long nowNs = clock.getAsLong();
        long waitedNs = nowNs - one.startNs();
        if (home == null) {
            if (waitedNs < UNKNOWN_NS) {
                asking.put(offer, one.away(nowNs));
                return null;
            }
            throw new RefusedException(Refusal.UNKNOWN_ADDRESS, "address=" + address + " is nobody's");
        }
        if (home.state() == Home.State.MOVING || home.state() == Home.State.GONE) {
            if (waitedNs < LONGEST_NS) {
                asking.put(offer, one.away(nowNs));
                return null;
            }
            throw new RefusedException(Refusal.MOVED, "address=" + address + " is on its way: " + home.state());
        }
        if (!home.host().equals(host)) {
            throw new RefusedException(Refusal.PEER_ROUTER, "address=" + address + " lives on host=" + home.host()
                    + ", to which there is no way");
        }
        Listening listener = listeners.get(new Place(address, one.note().port()));
        if (listener == null) {
            if (one.awayNs() != Asking.NEVER && nowNs - one.awayNs() < UNKNOWN_NS) {
                return null; // it has just come here, and its listeners come behind it
            }
            throw new RefusedException(Refusal.NOBODY_LISTENS, "address=" + address + " port=" + one.note().port());
        }
        return listener;
    }

    private void refuse(int offer, RefusedException why) {
        Asking one = remove(offer);
        one.from().session().refuse(one.id(), one.from().qp(), why);
    }

    private Asking remove(int offer) {
        Asking one = asking.remove(offer);
        one.from().session().membership().give(QuotaKind.HALF_OPEN, 1);
        return one;
    }

    /** Returns who was offered to a session. @throws RefusedException when there is nobody (any more) */
    private Asking offered(ControlSession by, int offer) {
        Asking one = asking.get(offer);
        if (one == null || one.listener() == null || one.listener().session() != by) {
            throw new RefusedException(Refusal.ROUTER_GONE, "offer=" + offer + ": who wanted to connect is gone");
        }
        return one;
    }

    /** Connects who was offered to a QP of the listener's device. */
    void accept(End by, Offer answer) {
        Asking one = offered(by.session(), answer.offer());
        End from = one.from();
        try {
            joins.joinBoth(from, by, one.note().port());
        } catch (RefusedException e) {
            refuse(answer.offer(), e);
            throw e;
        }
        remove(answer.offer());
        from.session().say(new Offer(0, by.session().tenant().name(), one.note().address(), answer.privateData())
                .frame(Command.CONNECTED, one.id(), from.qp()));
    }

    /** @param dropped nobody listens there any more */
    void reject(ControlSession by, Offer answer, boolean dropped) {
        Asking one = offered(by, answer.offer());
        if (dropped) {
            refuse(answer.offer(), new RefusedException(Refusal.NOBODY_LISTENS, "address=" + one.note().address()
                    + " port=" + one.note().port()));
            return;
        }
        remove(answer.offer());
        one.from().session().say(new Offer(0, by.tenant().name(), one.note().address(), answer.privateData())
                .frame(Command.REJECT, one.id(), one.from().qp()));
    }

    // What ends.

    /** A QP is in ERR or destroyed: it wants to connect no more. */
    void gone(End end) {
        numbersOf(one -> one.from().equals(end)).forEach(this::remove);
    }

    /** A device is gone: its listeners, its offers, and those that were offered to it. */
    void gone(ControlSession session) {
        listeners.values().removeIf(listening -> listening.session() == session);
        numbersOf(one -> one.from().session() == session).forEach(this::remove);
        for (int offer : numbersOf(one -> one.listener() != null && one.listener().session() == session)) {
            refuse(offer, new RefusedException(Refusal.NOBODY_LISTENS, "the listener is gone"));
        }
    }

    private List<Integer> numbersOf(Predicate<Asking> those) {
        List<Integer> numbers = new ArrayList<>();
        asking.forEach((offer, one) -> {
            if (those.test(one)) {
                numbers.add(offer);
            }
        });
        return numbers;
    }

    /** Looks at those who wait: something has changed, or time has passed. */
    void lookAgain() {
        long nowNs = clock.getAsLong();
        for (int offer : numbersOf(one -> one.listener() == null)) {
            look(offer);
        }
        for (int offer : numbersOf(one -> one.listener() != null && nowNs - one.startNs() > LONGEST_NS)) {
            refuse(offer, new RefusedException(Refusal.NOBODY_LISTENS, "nobody answered in " + LONGEST_NS / 1_000_000
                    + " ms"));
        }
    }

    /** Returns true while time has to be looked at. */
    boolean isWaiting() {
        return !asking.isEmpty();
    }

    int asking() {
        return asking.size();
    }

    int listening() {
        return listeners.size();
    }
}
