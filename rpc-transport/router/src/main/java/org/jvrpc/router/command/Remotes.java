package org.jvrpc.router.command;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.home.Contact;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.peer.Links;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.router.peer.PeerEvents;
import org.jvrpc.router.peer.PeerMessage;
import org.jvrpc.softrnic.router.wire.Offer;

/**
 * Makes connections to QPs of other hosts, and theirs to those of this one: their routers ask each other, each looks
 * at homes and rules itself and believes of the other only what is the other's. The listener's end takes messages
 * before the connector's end is told, and is told itself once the connector's takes some. What links tell comes by
 * their thread; all else is the sessions' thread's.
 */
final class Remotes implements PeerEvents, Meetings.Abroad {

    /** How long a connector waits for a link to a host that was not reached. */
    private static final long LINK_NS = 5_000_000_000L;
    /** The same while the first attempt has not come to an end: the other router may be about to begin. */
    static final long FIRST_LINK_NS = 15_000_000_000L;
    /** How long another router is asked again that knows more or less of homes. */
    private static final long STALE_NS = 2_000_000_000L;
    private static final long AGAIN_NS = 20_000_000L;
    /** The most that one tenant of another host asks for at a time. */
    private static final int MOST_OF_TENANT = 64;

    private final Sessions sessions;
    /** Null: there is no way. */
    private final Links links;
    private final RemoteJoins joins;
    private final RemoteRoutes routes;
    private final Map<String, Peer> peers = new HashMap<>();
    /** What this host's connectors ask other routers. */
    private final Map<Long, Call> calls = new HashMap<>();
    private final Map<RemoteJoins.Key, RemoteCaller> callers = new HashMap<>();
    private long lastEpoch = new SecureRandom().nextLong() >>> 1;

    /** A connector of this host. @param own number of the connection here */
    private record Call(Asking asking, LocalCaller from, Home fromHome, Home to, int own) { }

    Remotes(Sessions sessions, Links links) {
        this.sessions = sessions;
        this.links = links;
        this.joins = new RemoteJoins(sessions, links);
        this.routes = new RemoteRoutes(sessions, this, links);
    }

    RemoteRoutes routes() {
        return routes;
    }

    /** Returns the router of a host; null while there is no link to it. */
    Peer peer(String host) {
        return peers.get(host);
    }

    /** Returns a number for what is asked of another router, which none had before. */
    long nextEpoch() {
        return ++lastEpoch;
    }

    boolean isWaiting() {
        return joins.isWaiting() || routes.isWaiting();
    }

    void tick(long nowNs) {
        joins.tick(nowNs);
        routes.tick(nowNs);
    }

    RemoteJoins joins() {
        return joins;
    }

    // Links' thread.

    @Override
    public void up(Peer peer) {
        sessions.post(() -> {
            peers.put(peer.host(), peer);
            sessions.meetings().lookAgain();
        });
    }

    @Override
    public void down(Peer peer, String why) {
        sessions.post(() -> gone(peer, why));
    }

    @Override
    public void heard(Peer peer, PeerMessage message) {
        sessions.post(() -> {
            if (peers.get(peer.host()) == peer) {
                take(peer, message);
            }
        });
    }

    // The sessions' thread.

    private void gone(Peer peer, String why) {
        peers.remove(peer.host(), peer);
        for (Map.Entry<Long, Call> entry : List.copyOf(calls.entrySet())) {
            if (entry.getValue().to().host().equals(peer.host())) {
                park(entry.getKey(), entry.getValue());
            }
        }
        List.copyOf(callers.values()).stream().filter(caller -> caller.peer() == peer).forEach(this::drop);
        routes.lost(peer.host());
        joins.lost(peer.host(), "the link to host=" + peer.host() + " is gone: " + why);
        sessions.meetings().lookAgain();
    }

    /** Has a connector look again later. */
    private void park(long epoch, Call call) {
        calls.remove(epoch);
        joins.give(call.own());
        call.asking().abroad(false);
    }

    private void drop(RemoteCaller caller) {
        sessions.meetings().those(one -> one.from() == caller).forEach(sessions.meetings()::remove);
    }

    @Override
    public void ask(Asking one, Home to) {
        String host = to.host();
        if (links == null) {
            throw new RefusedException(Refusal.PEER_ROUTER, "address=" + one.address() + " lives on host=" + host
                    + ", to which there is no way");
        }
        long nowNs = sessions.nowNs();
        if (!peers.containsKey(host)) {
            links.want(host);
            String trouble = links.trouble(host);
            if (one.reachingNs(nowNs) > (trouble == null ? FIRST_LINK_NS : LINK_NS)) {
                throw new RefusedException(Refusal.PEER_ROUTER, "address=" + one.address() + " lives on host=" + host
                        + ", and there is no link to it: "
                        + (trouble == null ? "its router does not answer" : trouble));
            }
            return;
        }
        if (one.mayAsk(nowNs)) {
            ask(one, (LocalCaller) one.from(), to, nowNs);
        }
    }

    private void ask(Asking one, LocalCaller from, Home to, long nowNs) {
        Home fromHome = from.home(0);
        String address = from.address();
        int own = joins.take();
        long epoch = nextEpoch();
        PeerMessage.Connect message = new PeerMessage.Connect(epoch, own, from.tenant().name(), address, one.address(),
                one.port(), to.epoch(), one.wasOnItsWay(nowNs), one.privateData());
        if (links.say(to.host(), message)) {
            calls.put(epoch, new Call(one, from, fromHome, to, own));
            one.abroad(true);
        } else {
            joins.give(own); // the link has just gone, as is told soon
        }
    }

    @Override
    public void forget(Asking one) {
        for (Map.Entry<Long, Call> entry : List.copyOf(calls.entrySet())) {
            Call call = entry.getValue();
            if (call.asking() == one) {
                park(entry.getKey(), call);
                links.say(call.to().host(), new PeerMessage.Cut(entry.getKey(), true, "it is wanted no more"));
            }
        }
    }

    private void take(Peer peer, PeerMessage message) {
        if (message instanceof PeerMessage.Connect connect) {
            connect(peer, connect);
            return;
        }
        if (message instanceof PeerMessage.Route route) {
            routes.asked(peer, route);
            return;
        }
        if (message instanceof PeerMessage.Bound bound) {
            joins.bound(new RemoteJoins.Key(peer.host(), false, bound.epoch()));
            return;
        }
        if (message instanceof PeerMessage.Cut cut) {
            routes.cut(peer, cut);
            cut(peer, cut);
            return;
        }
        if (routes.answered(peer, message)) {
            return;
        }
        Call call = calls.get(message.epoch());
        if (call == null || !call.to().host().equals(peer.host())) {
            links.say(peer.host(), new PeerMessage.Cut(message.epoch(), true, "nobody asks for it any more"));
        } else if (message instanceof PeerMessage.Accept accept) {
            accepted(peer, call, accept);
        } else if (message instanceof PeerMessage.Reject reject) {
            answered(message.epoch(), call);
            sessions.meetings().remove(call.asking());
            call.from().rejected(call.to().tenant(), new Offer(0, "", "", reject.privateData()));
        } else if (message instanceof PeerMessage.Refuse refuse) {
            refused(peer, call, refuse);
        }
    }

    /** Nobody is to be told that it is wanted no more. */
    private void answered(long epoch, Call call) {
        calls.remove(epoch);
        joins.give(call.own());
        call.asking().abroad(false);
    }

    private void refused(Peer peer, Call call, PeerMessage.Refuse why) {
        answered(why.epoch(), call);
        boolean stale = why.refusal() == Refusal.STALE_EPOCH || why.refusal() == Refusal.MOVED;
        if (stale && call.asking().isStaleFor(sessions.nowNs(), AGAIN_NS) < STALE_NS) {
            return; // one of both knows more of homes than the other; it is looked at again
        }
        sessions.meetings().refuse(call.asking(), new RefusedException(why.refusal(), "host=" + peer.host() + " says "
                + why.text()));
    }

    private void accepted(Peer peer, Call call, PeerMessage.Accept accept) {
        LocalCaller from = call.from();
        TenantId to = call.to().tenant();
        Contact contact = new Contact(from.tenant(), call.fromHome(), to, call.to(), call.asking().port());
        RemoteJoins.Key key = new RemoteJoins.Key(peer.host(), true, accept.epoch());
        calls.remove(accept.epoch());
        call.asking().abroad(false);
        try {
            if (contact.isStale(sessions.homes())) {
                throw new RefusedException(Refusal.MOVED, contact + " is between no homes any more");
            }
            sessions.policy().check(from.tenant(), to, call.asking().port(), sessions.nowNs());
            joins.join(key, from.from(), new RemoteConnection(peer.host(), peer.incarnation(), call.own(),
                    accept.number(), accept.epoch()), contact, RemoteJoins.BOUND);
        } catch (RefusedException e) {
            joins.give(call.own());
            links.say(peer.host(), new PeerMessage.Cut(accept.epoch(), true, e.getMessage()));
            sessions.meetings().refuse(call.asking(), e);
            return;
        }
        sessions.meetings().remove(call.asking());
        links.say(peer.host(), new PeerMessage.Bound(accept.epoch()));
        from.connected(to, accept.privateData());
    }

    private void connect(Peer peer, PeerMessage.Connect connect) {
        RemoteJoins.Key key = new RemoteJoins.Key(peer.host(), false, connect.epoch());
        if (callers.containsKey(key) || joins.has(key)) {
            return; // its router says the same twice
        }
        try {
            TenantId tenant = tenant(connect.tenant());
            long asks = callers.values().stream().filter(one -> one.peer() == peer && one.tenant().equals(tenant))
                    .count();
            if (asks >= MOST_OF_TENANT) {
                throw new RefusedException(Refusal.BUSY, "tenant=" + tenant + " of host=" + peer.host()
                        + " connectors that wait=" + asks + " limit=" + MOST_OF_TENANT);
            }
            sessions.meetings().requireRoom();
            RemoteCaller caller = new RemoteCaller(this, key, peer, connect, tenant);
            callers.put(key, caller);
            sessions.meetings().add(caller, connect.to(), connect.port(), connect.privateData(), connect.waited());
        } catch (RefusedException e) {
            refuse(peer, connect, e);
        }
    }

    static TenantId tenant(String name) {
        try {
            return new TenantId(name);
        } catch (IllegalArgumentException e) {
            throw new RefusedException(Refusal.BAD_FRAME, e.getMessage());
        }
    }

    private void refuse(Peer peer, PeerMessage.Connect connect, RefusedException why) {
        links.say(peer.host(), new PeerMessage.Refuse(connect.epoch(), why.refusal(), why.getMessage()));
    }

    private void cut(Peer peer, PeerMessage.Cut cut) {
        RemoteJoins.Key key = new RemoteJoins.Key(peer.host(), !cut.byConnector(), cut.epoch());
        joins.cut(key, cut.why());
        RemoteCaller caller = callers.get(key);
        if (caller != null) {
            drop(caller);
        }
        Call call = key.connects() ? calls.get(cut.epoch()) : null;
        if (call != null && call.to().host().equals(peer.host())) {
            answered(cut.epoch(), call);
            sessions.meetings().refuse(call.asking(), new RefusedException(Refusal.PEER_ROUTER, "host=" + peer.host()
                    + " says " + cut.why()));
        }
    }

    // What callers of other hosts ask for.

    /** Returns where a caller's address lives; null while that is not known here. */
    Home home(RemoteCaller caller, PeerMessage.Connect connect, long waitedNs) {
        Home to = sessions.homes().home(connect.to());
        if (to != null && to.epoch() != connect.homeEpoch()) {
            if (to.epoch() < connect.homeEpoch() && waitedNs < Meetings.UNKNOWN_NS) {
                return null;
            }
            throw new RefusedException(Refusal.STALE_EPOCH, "address=" + connect.to() + " has epoch=" + to.epoch()
                    + ", asked for with epoch=" + connect.homeEpoch());
        }
        Home from = sessions.homes().home(connect.address());
        boolean there = from != null && from.host().equals(caller.peer().host())
                && from.tenant().equals(caller.tenant()) && from.state() != Home.State.GONE;
        if (!there && waitedNs >= Meetings.UNKNOWN_NS) {
            throw new RefusedException(Refusal.NOT_YOURS, "host=" + caller.peer().host() + " speaks for tenant="
                    + caller.tenant() + " address=" + connect.address() + ", whose home is " + from);
        }
        return there ? from : null;
    }

    void done(RemoteJoins.Key key) {
        callers.remove(key);
    }

    void rejected(RemoteCaller caller, byte[] privateData) {
        links.say(caller.peer().host(), new PeerMessage.Reject(caller.key().epoch(), privateData));
    }

    void refused(RemoteCaller caller, PeerMessage.Connect connect, RefusedException why) {
        sessions.refused(caller.tenant(), why);
        refuse(caller.peer(), connect, why);
    }

    /** Connects a caller to a listener's QP, whose frame is answered once the caller's end takes messages. */
    void join(RemoteCaller caller, PeerMessage.Connect connect, End listener, Contact contact, Offer answer, int id) {
        int own = joins.take();
        try {
            joins.join(caller.key(), listener, new RemoteConnection(caller.peer().host(), caller.peer().incarnation(),
                    own, connect.number(), connect.epoch()), contact, id);
        } catch (RefusedException e) {
            joins.give(own);
            throw e;
        }
        links.say(caller.peer().host(), new PeerMessage.Accept(connect.epoch(), own, answer.privateData()));
    }
}
