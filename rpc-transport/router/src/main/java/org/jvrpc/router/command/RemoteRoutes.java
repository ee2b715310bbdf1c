package org.jvrpc.router.command;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.home.Contact;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.peer.Links;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.router.peer.PeerMessage;
import org.jvrpc.softrnic.router.wire.RouteNote;

/**
 * The ways of address handles to devices of other hosts, and those of other hosts to devices of this one. Each is asked
 * for at the other host's router, which looks at homes and rules itself. One whose link is lost leads nowhere until
 * there is another. The sessions' thread.
 */
final class RemoteRoutes {

    /** How long who asks for a way waits for it. */
    private static final long WAIT_NS = 4_000_000_000L;
    private static final long STALE_NS = 2_000_000_000L;
    /** Of one tenant of another host. */
    private static final int MOST_OF_TENANT = 4096;

    private final Sessions sessions;
    private final Remotes remotes;
    private final Links links;
    private final Map<Way, Away> ways = new HashMap<>();
    /** Those that are asked for or there, by their number at both routers. */
    private final Map<Long, Away> asked = new HashMap<>();
    /** Those that wait for a link, an answer or lanes. */
    private final Set<Away> waiting = new LinkedHashSet<>();
    private final Map<RemoteJoins.Key, Guest> guests = new HashMap<>();

    /** @param index of the way at its device */
    private record Way(ControlSession session, int index) { }

    /** A way to another host. */
    private static final class Away {

        final Way way;
        final RouteNote note;
        final Contact contact;
        final String address;
        final long sinceNs;
        final CompletableFuture<Integer> made = new CompletableFuture<>();
        long epoch;
        /** Number here while it is asked for or there; 0: else. */
        int own;
        RemoteConnection leads;

        Away(Way way, RouteNote note, Contact contact, String address, long nowNs) {
            this.address = address;
            this.way = way;
            this.note = note;
            this.contact = contact;
            this.sinceNs = nowNs;
        }

        String host() {
            return contact.toHome().host();
        }
    }

    /** A way of another host. */
    private record Guest(RemoteJoins.Key key, ControlSession to, int own, Contact contact) { }

    RemoteRoutes(Sessions sessions, Remotes remotes, Links links) {
        this.sessions = sessions;
        this.remotes = remotes;
        this.links = links;
    }

    /** Returns the home on another host of the device that is asked for; null when it is none of there. */
    private Home away(RouteNote note) {
        Home home = sessions.homes().home(note.address());
        return home == null || sessions.homes().isHere(home.address()) ? null : home;
    }

    boolean isAway(RouteNote note) {
        return away(note) != null;
    }

    /** Opens a way; its index is told later. @throws RefusedException when it may not be */
    CompletableFuture<Integer> open(ControlSession from, RouteNote note) {
        Home to = away(note);
        if (links == null) {
            throw new RefusedException(Refusal.PEER_ROUTER, "address=" + note.address() + " lives on host=" + to.host()
                    + ", to which there is no way");
        }
        sessions.policy().check(from.tenant(), to.tenant(), 0, sessions.nowNs());
        from.membership().take(QuotaKind.CONNECTIONS, 1);
        try {
            Way way = new Way(from, from.device().route(note.pd(), note.device()));
            Away made = new Away(way, note, new Contact(from.tenant(), from.home(), to.tenant(), to, 0),
                    from.address().text(), sessions.nowNs());
            ways.put(way, made);
            waiting.add(made);
            go(made, sessions.nowNs());
            return made.made;
        } catch (RuntimeException e) {
            from.membership().give(QuotaKind.CONNECTIONS, 1);
            throw e;
        }
    }

    /** Returns true while {@link #tick} is to be called now and then. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    void tick(long nowNs) {
        List.copyOf(waiting).forEach(one -> go(one, nowNs));
    }

    private void go(Away one, long nowNs) {
        Peer peer = remotes.peer(one.host());
        if (peer == null) {
            links.want(one.host());
        } else if (one.own == 0) {
            ask(one);
        } else if (one.leads != null && one.way.session().device().reaches(one.host())) {
            waiting.remove(one);
            one.made.complete(one.way.index());
        }
        if (!one.made.isDone() && nowNs - one.sinceNs > WAIT_NS) {
            String why = peer == null ? links.trouble(one.host()) : "it does not answer, or nothing can be sent there";
            fail(one, new RefusedException(Refusal.PEER_ROUTER, "host=" + one.host() + ": " + why));
        }
    }

    private void ask(Away one) {
        one.own = remotes.joins().take();
        one.epoch = remotes.nextEpoch();
        ControlSession from = one.way.session();
        PeerMessage.Route message = new PeerMessage.Route(one.epoch, one.own, from.tenant().name(),
                one.address, one.note.device(), one.note.incarnation());
        asked.put(one.epoch, one);
        if (!links.say(one.host(), message)) {
            forget(one);
        }
    }

    /** It is neither asked for nor there any more, and waits to be asked for again. */
    private void forget(Away one) {
        if (one.own != 0) {
            remotes.joins().give(one.own);
            asked.remove(one.epoch);
        }
        one.own = 0;
        one.leads = null;
        waiting.add(one);
    }

    /** Nobody is there any more. */
    private void over(Away one) {
        waiting.remove(one); // what goes by it is dropped
    }

    private void fail(Away one, RefusedException why) {
        close(one.way.session(), one.way.index());
        one.made.completeExceptionally(why);
    }

    private Away asked(String host, long epoch) {
        Away one = asked.get(epoch);
        return one != null && one.host().equals(host) ? one : null;
    }

    /** Takes another router's answer; false when it is none about a way. */
    boolean answered(Peer peer, PeerMessage message) {
        Away one = asked(peer.host(), message.epoch());
        if (one == null) {
            return false;
        }
        if (message instanceof PeerMessage.Accept accept) {
            accepted(one, peer, accept);
        } else if (message instanceof PeerMessage.Refuse refuse) {
            refused(one, peer, refuse);
        }
        return true;
    }

    private void accepted(Away one, Peer peer, PeerMessage.Accept accept) {
        RemoteConnection to = new RemoteConnection(
                peer.host(), peer.incarnation(), one.own, accept.number(), one.epoch);
        try {
            one.way.session().device().lead(one.way.index(), to);
            one.leads = to;
            go(one, sessions.nowNs());
        } catch (RefusedException e) {
            links.say(peer.host(), new PeerMessage.Cut(one.epoch, true, e.getMessage()));
            forget(one); // the link has just gone: it is asked for again
        }
    }

    private void refused(Away one, Peer peer, PeerMessage.Refuse refuse) {
        forget(one);
        boolean stale = refuse.refusal() == Refusal.STALE_EPOCH || refuse.refusal() == Refusal.MOVED;
        if (one.made.isDone()) {
            if (!stale) {
                over(one);
            }
        } else if (!stale || sessions.nowNs() - one.sinceNs > STALE_NS) {
            fail(one, new RefusedException(refuse.refusal(), "host=" + peer.host() + " says " + refuse.text()));
        }
    }

    /** Closes a way; false when there is none of this kind. */
    boolean close(ControlSession from, int index) {
        Away one = ways.remove(new Way(from, index));
        if (one == null) {
            return false;
        }
        cut(one);
        from.device().unroute(index);
        from.membership().give(QuotaKind.CONNECTIONS, 1);
        return true;
    }

    private void cut(Away one) {
        if (one.own != 0) {
            links.say(one.host(), new PeerMessage.Cut(one.epoch, true, "it is closed"));
            forget(one);
        }
        waiting.remove(one);
    }

    /** A device is gone, and with it the ways that it had, or that led to it. */
    void gone(ControlSession session) {
        for (Away one : List.copyOf(ways.values())) {
            if (one.way.session() == session) {
                ways.remove(one.way);
                cut(one);
            }
        }
        guests(guest -> guest.to() == session).forEach(guest -> end(guest, "the device is gone"));
    }

    private List<Guest> guests(Predicate<Guest> which) {
        return guests.values().stream().filter(which).toList();
    }

    /** Ends a way of another host. @param why its router is told; null: it is not */
    private void end(Guest guest, String why) {
        guests.remove(guest.key());
        remotes.joins().give(guest.own());
        if (!guest.to().hasEnded()) {
            guest.to().device().dismiss(guest.own());
        }
        if (why != null) {
            links.say(guest.key().host(), new PeerMessage.Cut(guest.key().epoch(), false, why));
        }
    }

    /** Another router ends a way. */
    void cut(Peer peer, PeerMessage.Cut cut) {
        Guest guest = cut.byConnector() ? guests.get(new RemoteJoins.Key(peer.host(), false, cut.epoch())) : null;
        if (guest != null) {
            end(guest, null);
        }
        Away one = cut.byConnector() ? null : asked(peer.host(), cut.epoch());
        if (one != null) {
            if (one.leads != null) {
                one.way.session().device().lead(one.way.index(), null);
            }
            forget(one);
            over(one);
            one.made.complete(one.way.index()); // as one whose device goes a moment later
        }
    }

    /** The link to a host is lost: ways there are asked for again when there is another. */
    void lost(String host) {
        for (Away one : List.copyOf(asked.values())) {
            if (one.host().equals(host)) {
                if (one.leads != null) {
                    one.way.session().device().lead(one.way.index(), null);
                }
                forget(one);
            }
        }
        guests(guest -> guest.key().host().equals(host)).forEach(guest -> end(guest, null));
    }

    /** Closes ways that must not be any more; returns them. */
    Set<Contact> endThose(Predicate<Contact> unwanted) {
        Set<Contact> ended = new HashSet<>();
        for (Away one : List.copyOf(ways.values())) {
            if (unwanted.test(one.contact)) {
                ended.add(one.contact);
                fail(one, new RefusedException(Refusal.POLICY, one.contact + " may not be any more"));
            }
        }
        for (Guest guest : guests(one -> unwanted.test(one.contact()))) {
            ended.add(guest.contact());
            end(guest, "it must not be: " + guest.contact());
        }
        return ended;
    }

    /** Another router asks for a way. */
    void asked(Peer peer, PeerMessage.Route route) {
        RemoteJoins.Key key = new RemoteJoins.Key(peer.host(), false, route.epoch());
        if (guests.containsKey(key)) {
            return; // its router says the same twice
        }
        TenantId tenant = null;
        try {
            tenant = Remotes.tenant(route.tenant());
            Home from = sessions.homes().home(route.address());
            if (from == null || !from.host().equals(peer.host()) || !from.tenant().equals(tenant)) {
                throw new RefusedException(Refusal.STALE_EPOCH, "host=" + peer.host() + " speaks for tenant=" + tenant
                        + " address=" + route.address() + ", whose home is " + from);
            }
            TenantId its = tenant;
            long had = guests(one -> one.contact().from().equals(its)).size();
            if (had >= MOST_OF_TENANT) {
                throw new RefusedException(Refusal.BUSY, "tenant=" + tenant + " of host=" + peer.host() + " ways="
                        + had + " limit=" + MOST_OF_TENANT);
            }
            ControlSession to = sessions.device(route.device(), route.incarnation());
            sessions.policy().check(tenant, to.tenant(), 0, sessions.nowNs());
            admit(key, peer, route, to, new Contact(tenant, from, to.tenant(), to.home(), 0));
        } catch (RefusedException e) {
            if (tenant != null && e.refusal() != Refusal.STALE_EPOCH) { // that is asked for again
                sessions.refused(tenant, e);
            }
            links.say(peer.host(), new PeerMessage.Refuse(route.epoch(), e.refusal(), e.getMessage()));
        }
    }

    private void admit(RemoteJoins.Key key, Peer peer, PeerMessage.Route route, ControlSession to, Contact contact) {
        int own = remotes.joins().take();
        try {
            to.device().admit(new RemoteConnection(
                    peer.host(), peer.incarnation(), own, route.number(), route.epoch()));
        } catch (RefusedException e) {
            remotes.joins().give(own);
            throw e;
        }
        guests.put(key, new Guest(key, to, own, contact));
        links.say(peer.host(), new PeerMessage.Accept(route.epoch(), own, new byte[0]));
    }
}
