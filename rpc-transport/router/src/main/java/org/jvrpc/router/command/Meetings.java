package org.jvrpc.router.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.home.Contact;
import org.jvrpc.router.home.Homes;
import org.jvrpc.router.home.Policy;
import org.jvrpc.router.map.Home;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ConnectNote;
import org.jvrpc.softrnic.router.wire.ListenNote;
import org.jvrpc.softrnic.router.wire.Offer;

/**
 * Brings who wants to connect together with who listens. Who asks for an address that is on its way, or that nobody
 * knows yet, waits here a while instead of being refused, and then for its listener, which comes behind it. The
 * sessions' thread.
 */
final class Meetings {

    /** Offers that are not answered and connectors that wait, of all tenants. */
    static final int MOST_ASKING = 16_384;
    /** How long who asks for an address that nobody knows is kept. */
    static final long UNKNOWN_NS = 2_000_000_000L;
    /** How long listeners may come behind an address that came in here, for those who ask only then. */
    static final long ARRIVAL_NS = 10_000_000_000L;
    /** How long anybody is kept at the most, whatever time a connector has. */
    static final long LONGEST_NS = 60_000_000_000L;

    private final String host;
    private final Homes homes;
    private final Policy policy;
    private final Abroad abroad;
    private final LongSupplier clock;
    private final Listeners listeners = new Listeners();
    /** By the numbers of their offers, which those that are parked have, too; the oldest first. */
    private final Map<Integer, Asking> asking = new LinkedHashMap<>();
    private int lastOffer;

    /** The way to listeners of other hosts. */
    interface Abroad {

        /**
         * Has the router of another host asked, once there is a link to it.
         *
         * @throws RefusedException when there is no way
         */
        void ask(Asking one, Home to);

        /** Nobody waits for the answer any more. */
        void forget(Asking one);
    }

    Meetings(String host, Homes homes, Policy policy, Abroad abroad, LongSupplier clock) {
        this.host = host;
        this.homes = homes;
        this.policy = policy;
        this.abroad = abroad;
        this.clock = clock;
    }

    // Listeners.

    /** @throws RefusedException when somebody listens there already, or the address is not the tenant's */
    void listen(ControlSession session, ListenNote note) {
        listeners.listen(session, note);
        lookAgain();
    }

    /** Ends a listener; those that were offered to it may still be answered. */
    void unlisten(ControlSession session, int number) {
        listeners.unlisten(session, number);
    }

    // Connectors.

    /** @throws RefusedException when it cannot be; else the answer comes later */
    void connect(Sessions sessions, End from, int id, ConnectNote note) {
        if (asking.values().stream().anyMatch(one -> one.from().is(from))) {
            throw new RefusedException(Refusal.BUSY, "qp=" + from.qp() + " is being connected");
        }
        requireRoom();
        homes.home(note.address());
        add(new LocalCaller(sessions, from, id, note.address()), note.address(), note.port(), note.privateData(),
                false);
    }

    /** @throws RefusedException when too many ask already */
    void requireRoom() {
        if (asking.size() >= MOST_ASKING) {
            throw new RefusedException(Refusal.BUSY, "connectors that wait on this host=" + asking.size() + " limit="
                    + MOST_ASKING);
        }
    }

    /** @param waited the address was on its way a short while ago, as the caller's router knows */
    void add(Caller from, String address, int port, byte[] privateData, boolean waited) {
        int offer = ++lastOffer;
        Asking one = new Asking(offer, from, address, port, privateData, clock.getAsLong());
        if (waited) {
            one.sawMoving();
        }
        asking.put(offer, one);
        look(one);
    }

    /** Has a connector meet who listens, or refuses it, or leaves it parked. */
    private void look(Asking one) {
        try {
            Home home = find(one);
            if (home == null) {
                return;
            }
            policy.check(one.from().tenant(), home.tenant(), one.port(), clock.getAsLong());
            if (!home.host().equals(host)) {
                abroad.ask(one, home);
                return;
            }
            Listeners.Listening listener = listener(one, home);
            if (listener != null) {
                one.offerTo(listener);
                listener.session().say(new Offer(one.offer(), one.from().tenant().name(), one.from().address(),
                        one.privateData()).frame(Command.OFFER, 0, listener.number()));
            }
        } catch (RefusedException e) {
            refuse(one, e);
        }
    }

    /** Returns where the address lives; null where the connector is to wait. */
    private Home find(Asking one) {
        long nowNs = clock.getAsLong();
        long waitedNs = one.waitedNs(nowNs);
        Home own = one.from().home(waitedNs);
        Home home = homes.home(one.address());
        if (home == null || home.host().isEmpty()) { // nobody's, or nobody has claimed it yet
            if (waitedNs < UNKNOWN_NS) {
                one.sawUnknown();
                return null;
            }
            throw new RefusedException(Refusal.UNKNOWN_ADDRESS, "address=" + one.address() + " is nobody's");
        }
        if (Homes.isOnItsWay(home)) {
            if (waitedNs < LONGEST_NS) {
                one.sawMoving();
                return null;
            }
            throw new RefusedException(Refusal.MOVED, "address=" + one.address() + " is on its way: " + home.state());
        }
        if (one.from().isRemote() && !home.host().equals(host)) {
            throw new RefusedException(Refusal.MOVED, "address=" + one.address() + " lives on host=" + home.host()
                    + " epoch=" + home.epoch());
        }
        return own == null && one.from().isRemote() ? null : home;
    }

    /** Returns null where the connector is to wait for it. */
    private Listeners.Listening listener(Asking one, Home home) {
        Listeners.Listening found = listeners.find(one.address(), one.port());
        if (found == null) {
            long nowNs = clock.getAsLong();
            if (one.waitsForListener(nowNs)
                    || homes.isArriving(home, nowNs, ARRIVAL_NS) && one.reachingNs(nowNs) < ARRIVAL_NS) {
                return null;
            }
            throw new RefusedException(Refusal.NOBODY_LISTENS, "address=" + one.address() + " port=" + one.port());
        }
        if (!found.session().tenant().equals(home.tenant())) {
            throw new RefusedException(Refusal.MOVED, "address=" + one.address() + " is tenant=" + home.tenant()
                    + "'s now, and somebody else listens");
        }
        return found;
    }

    /** Refuses a connector. */
    void refuse(Asking one, RefusedException why) {
        remove(one);
        one.from().refused(why);
    }

    /** A connector has its answer, or wants none. */
    void remove(Asking one) {
        if (asking.remove(one.offer()) != null) {
            one.from().done();
            if (one.isAbroad()) {
                abroad.forget(one);
            }
        }
    }

    /** Returns who was offered to a session. @throws RefusedException when there is nobody (any more) */
    private Asking offered(ControlSession by, int offer) {
        Asking one = asking.get(offer);
        if (one == null || one.listener() == null || one.listener().session() != by) {
            throw new RefusedException(Refusal.ROUTER_GONE, "offer=" + offer + ": who wanted to connect is gone");
        }
        return one;
    }

    /**
     * Connects who was offered to a QP of the listener's device.
     *
     * @param id of the listener's frame
     * @return false: that is answered later
     */
    boolean accept(End by, Offer answer, int id) {
        Asking one = offered(by.session(), answer.offer());
        try {
            Home home = find(one);
            if (home == null || !home.host().equals(host)) {
                throw new RefusedException(Refusal.MOVED, "address=" + one.address() + " is here no more");
            }
            policy.check(one.from().tenant(), by.session().tenant(), one.port(), clock.getAsLong());
            Contact contact = new Contact(one.from().tenant(), one.from().home(LONGEST_NS), by.session().tenant(),
                    home, one.port());
            boolean now = one.from().join(by, contact, answer, id);
            remove(one);
            return now;
        } catch (RefusedException e) {
            refuse(one, e);
            throw e;
        }
    }

    /** @param dropped nobody listens there any more */
    void reject(ControlSession by, Offer answer, boolean dropped) {
        Asking one = offered(by, answer.offer());
        if (dropped) {
            refuse(one, new RefusedException(Refusal.NOBODY_LISTENS, "address=" + one.address() + " port="
                    + one.port()));
            return;
        }
        remove(one);
        one.from().rejected(by.tenant(), answer);
    }

    // What ends.

    /** A QP is in ERR or destroyed: it wants to connect no more. */
    void gone(End end) {
        for (Asking one : those(asks -> asks.from().is(end))) {
            refuse(one, new RefusedException(Refusal.NOT_YOURS, "qp=" + end.qp() + " ended while it was connected"));
        }
    }

    /** A device is gone: its listeners, its offers, and those that were offered to it. */
    void gone(ControlSession session) {
        listeners.gone(session);
        those(one -> one.from().isOf(session)).forEach(this::remove);
        for (Asking one : those(one -> one.listener() != null && one.listener().session() == session)) {
            refuse(one, new RefusedException(Refusal.NOBODY_LISTENS, "the listener is gone"));
        }
    }

    /** Returns those who ask of a kind, the oldest first. */
    List<Asking> those(Predicate<Asking> kind) {
        return asking.values().stream().filter(kind).toList();
    }

    /** Looks at those who wait: something has changed, or time has passed. */
    void lookAgain() {
        long nowNs = clock.getAsLong();
        those(Asking::isParked).forEach(this::look);
        for (Asking one : those(one -> !one.isParked() && one.waitedNs(nowNs) > LONGEST_NS)) {
            refuse(one, new RefusedException(Refusal.NOBODY_LISTENS, "nobody answered in " + LONGEST_NS / 1_000_000
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
        return listeners.count();
    }
}
