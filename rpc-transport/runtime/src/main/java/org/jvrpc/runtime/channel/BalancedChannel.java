package org.jvrpc.runtime.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.runtime.balance.KeyHash;
import org.jvrpc.runtime.graph.ClosedGraphs;
import org.jvrpc.runtime.invocation.AttemptChannel;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.route.BoundChannel;
import org.jvrpc.runtime.route.ServerLink;
import org.jvrpc.runtime.service.OtherVersion;
import org.jvrpc.runtime.thread.Deadline;

/**
 * A client's way to one service of several servers, with the options of one stub: each attempt of a call picks a server
 * anew, and another one where that turns out to be of no use before it was sent. Many threads.
 */
final class BalancedChannel implements AttemptChannel {

    private static final int MOST_AT_ONCE = 8;

    private final BalancedCore core;
    private final ServiceDescriptor<?> service;
    private final ObjectCodec graphs;
    private final ObjectCodec closed;
    private final CallOptions options;
    private final CallOptions single;
    private final boolean tracks;
    private final boolean keyed;
    private final long hash;
    /** By connection: the way to the service there, or the refusal of a server that does not have it. */
    private final Map<ServerLink, Object> bound = new ConcurrentHashMap<>();

    BalancedChannel(BalancedCore core, ServiceDescriptor<?> service, ObjectCodec graphs, CallOptions options) {
        this.core = core;
        this.service = service;
        this.graphs = graphs;
        this.closed = new ClosedGraphs(core.target());
        this.options = options;
        this.single = options.withoutWaitForReady(); // who waits, waits for any of them
        this.tracks = core.set().outliers().isOn();
        this.keyed = options.hashKey() != null;
        this.hash = keyed ? KeyHash.of(options.hashKey()) : 0;
    }

    /**
     * Opens the service on a server that is ready, where there is one, so that a difference of the interfaces is told
     * before any call.
     *
     * @throws RpcException UNIMPLEMENTED or FAILED_PRECONDITION when no server that is ready has it
     */
    void open() {
        Attempts attempts = null;
        while (true) {
            Snapshot now = core.snapshot();
            SubChannel server = pick(now, attempts);
            if (server == null) {
                if (attempts != null && attempts.unfit != null && attempts.allUnfit) {
                    throw attempts.unfit;
                }
                return; // calls wait, or are told
            }
            try {
                ServerLink link = server.link();
                if (link != null) {
                    channel(link).open();
                    return;
                }
                attempts = Attempts.and(attempts, server, null);
            } catch (RpcException e) {
                attempts = refused(attempts, server, e);
            }
        }
    }

    /** What a call has tried in vain. */
    private static final class Attempts {
        final List<SubChannel> tried = new ArrayList<>();
        final List<RpcException> failures = new ArrayList<>();
        RpcException unfit;
        boolean allUnfit = true;

        static Attempts and(Attempts before, SubChannel server, RpcException failure) {
            Attempts now = before == null ? new Attempts() : before;
            now.tried.add(server);
            if (failure != null) {
                now.failures.add(failure);
            }
            if (failure != null && isUnfit(failure.status())) {
                now.unfit = failure;
            } else {
                now.allUnfit = false;
            }
            return now;
        }
    }

    private static boolean isUnfit(Status status) {
        return status == Status.UNIMPLEMENTED || status == Status.FAILED_PRECONDITION;
    }

    @Override
    public ClientCall begin(MethodDescriptor method) {
        long limitNs = limitNs(method);
        return begin(method, new ClientInvocation(core.clock(), List.of(), method, options, limitNs,
                Deadline.after(core.clock(), limitNs)));
    }

    /**
     * As things stand: that of any server that is ready. Servers with another version of the interface are passed over
     * by calls whose arguments were written with it.
     */
    @Override
    public ObjectCodec layouts() {
        Snapshot now = core.snapshot();
        ObjectCodec known = layouts(now);
        if (known == null && now.ready().length > 0) {
            open();
            known = layouts(core.snapshot());
        }
        return known == null ? objects() : known;
    }

    private ObjectCodec objects() {
        return core.hasGraphs() ? graphs : closed;
    }

    /**
     * Arguments that were written while all servers were on this host are for those.
     *
     * @throws RpcException UNAVAILABLE, where the answer could bring objects over a network
     */
    private void checkGraphs(SubChannel server, ClientInvocation attempt) {
        ObjectCodec written = attempt.layouts();
        ObjectCodec plain = written instanceof OtherVersion other ? other.objects() : written;
        if (plain == graphs && !core.hasGraphs() && server.isOnNetwork()) {
            throw RpcException.notRun(Status.UNAVAILABLE, "arguments were written for servers of this host, not for "
                    + Way.withoutOptions(server.address()));
        }
    }

    private ObjectCodec layouts(Snapshot now) {
        int count = now.ready().length;
        int first = count < 2 ? 0 : ThreadLocalRandom.current().nextInt(count);
        for (int i = 0; i < count; i++) {
            ServerLink link = now.ready()[(first + i) % count].link();
            if (link != null && bound.get(link) instanceof BoundChannel channel) {
                return channel.layouts();
            }
        }
        return null;
    }

    @Override
    public ClientCall begin(MethodDescriptor method, ClientInvocation attempt) {
        Snapshot now = core.snapshot();
        if (now.probes().length > 0) {
            ClientCall probe = tryProbe(now, method, attempt);
            if (probe != null) {
                return probe;
            }
        }
        SubChannel server = now.pick(hash());
        ServerLink link = server == null ? null : server.link();
        if (link != null && bound.get(link) instanceof BoundChannel channel && !attempt.avoids(link)) {
            try {
                checkGraphs(server, attempt);
                attempt.goesBy(link);
                return tracked(server, channel.begin(method, attempt), false);
            } catch (RpcException e) {
                return beginSlowly(method, attempt, null, refused(null, server, e));
            }
        }
        return beginSlowly(method, attempt, link == null || attempt.avoids(link) ? null : server, null);
    }

    private long hash() {
        return keyed ? hash : ThreadLocalRandom.current().nextLong();
    }

    /** Begins a call that may have to wait, and tries other servers. @param first is picked already, or null */
    private ClientCall beginSlowly(
            MethodDescriptor method, ClientInvocation attempt, SubChannel first, Attempts before) {
        Attempts attempts = before;
        SubChannel picked = first;
        Waiting waiting = null;
        while (true) {
            Snapshot now = core.snapshot();
            SubChannel server = picked != null ? picked : pick(now, attempts, attempt);
            picked = null;
            if (server == null) {
                waiting = waiting != null ? waiting
                        : new Waiting(core, attempt.endNs(), attempt.limitNs(), options.waitForReady());
                waiting.await(now, attempts == null ? List.of() : attempts.failures);
                attempts = null; // who refused may have changed its mind
            } else {
                ServerLink link = server.link();
                try {
                    if (link != null) {
                        checkGraphs(server, attempt);
                        attempt.goesBy(link);
                        return tracked(server, channel(link).begin(method, attempt), false);
                    }
                    attempts = Attempts.and(attempts, server, null);
                } catch (RpcException e) {
                    attempts = refused(attempts, server, e);
                }
            }
        }
    }

    /** Begins a call with a stream, which stays with its server. */
    @Override
    public StreamCall beginStream(MethodDescriptor method, List<ClientInterceptor> outer) {
        long limitNs = core.settings().deadlineNs();
        Waiting waiting = new Waiting(core, Deadline.after(core.clock(), limitNs), limitNs, options.waitForReady());
        while (true) {
            Snapshot now = core.snapshot();
            SubChannel server = now.pick(hash());
            ServerLink link = server == null ? null : server.link();
            if (link != null) {
                return channel(link).beginStream(method, outer);
            }
            waiting.await(now, List.of());
        }
    }

    /** As the other, and rather one where no earlier attempt of the call was refused. */
    private SubChannel pick(Snapshot now, Attempts attempts, ClientInvocation attempt) {
        SubChannel picked = pick(now, attempts);
        if (picked == null || !attempt.avoids(picked.link())) {
            return picked;
        }
        for (SubChannel other : now.ready()) {
            if (!attempt.avoids(other.link()) && (attempts == null || !attempts.tried.contains(other))) {
                return other;
            }
        }
        return picked;
    }

    /** Picks a server that was not tried: the next one behind it in the list, where the policy picks one that was. */
    private SubChannel pick(Snapshot now, Attempts attempts) {
        SubChannel picked = now.pick(hash());
        if (attempts == null || picked == null || !attempts.tried.contains(picked)) {
            return picked;
        }
        SubChannel[] ready = now.ready();
        int at = List.of(ready).indexOf(picked);
        for (int i = 1; i < ready.length; i++) {
            SubChannel next = ready[(at + i) % ready.length];
            if (!attempts.tried.contains(next)) {
                return next;
            }
        }
        return null;
    }

    /**
     * A server refused a call before it was sent.
     *
     * @throws RpcException the same, where no other server would help
     */
    private Attempts refused(Attempts before, SubChannel server, RpcException e) {
        switch (e.status()) {
            case UNAVAILABLE, RESOURCE_EXHAUSTED -> core.pass(); // its connection is lost, perhaps
            case UNIMPLEMENTED, FAILED_PRECONDITION -> {
                ServerLink link = server.link();
                if (link != null) {
                    bound.put(link, e); // until there is another connection: its process does not change
                }
            }
            default -> throw e;
        }
        return Attempts.and(before, server, e);
    }

    /** Returns the way to the service by a connection. @throws RpcException what the server said to it before */
    private BoundChannel channel(ServerLink link) {
        Object known = bound.get(link);
        if (known instanceof BoundChannel channel) {
            return channel;
        }
        if (known instanceof RpcException refusal) {
            throw RpcException.notRun(refusal.status(), refusal.getMessage(), refusal);
        }
        bound.keySet().removeIf(other -> !other.isConnected());
        BoundChannel made = link.unopened(service, objects(), single);
        Object other = bound.putIfAbsent(link, made);
        return other == null ? made : channel(link);
    }

    /**
     * One more than there are servers: the last is for the first one that is back. So few of many servers that calls of
     * a whole fleet that refuses do not become many times as many.
     */
    @Override
    public int transparentAttempts() {
        return Math.min(core.set().count() + 1, MOST_AT_ONCE);
    }

    @Override
    public long limitNs(MethodDescriptor method) {
        return options.deadlineNs() > 0 ? options.deadlineNs()
                : method.deadlineNs() > 0 ? method.deadlineNs() : core.settings().deadlineNs();
    }

    // ---- how calls end, where servers are judged by that

    private ClientCall tracked(SubChannel server, ClientCall call, boolean probe) {
        return tracks ? new TrackedCall(core, server, call, probe) : call;
    }

    /** Begins a call on a server that was ejected, to see whether it is well again; null where none is due. */
    private ClientCall tryProbe(Snapshot now, MethodDescriptor method, ClientInvocation attempt) {
        SubChannel server = now.tryProbe(core.clock().nanoTime());
        if (server == null) {
            return null;
        }
        ServerLink link = server.link();
        if (link != null) {
            try {
                checkGraphs(server, attempt);
                return tracked(server, channel(link).begin(method, attempt), true);
            } catch (RpcException e) {
                // this call goes elsewhere
            }
        }
        core.ended(server, true, true);
        return null;
    }
}
