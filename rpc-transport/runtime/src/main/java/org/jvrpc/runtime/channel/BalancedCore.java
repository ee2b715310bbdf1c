package org.jvrpc.runtime.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.runtime.balance.ServerStatus;
import org.jvrpc.runtime.channel.lookup.Target;
import org.jvrpc.runtime.connection.ClientCore;
import org.jvrpc.runtime.graph.KryoCodec;
import org.jvrpc.runtime.health.HealthChecker;
import org.jvrpc.runtime.health.HealthProbe;
import org.jvrpc.runtime.invocation.AttemptChannel;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.runtime.route.CallCore;
import org.jvrpc.runtime.route.ServerLink;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.DaemonPool;
import org.jvrpc.runtime.thread.Deadline;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.verbs.ClientDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of several servers. One thread of its own looks after their states; connecting and closing, which wait, are
 * done by a few others. Many threads.
 */
public final class BalancedCore implements CallCore {

    private static final Logger LOG = LoggerFactory.getLogger(BalancedCore.class);
    /** So many servers are connected to at a time. */
    private static final int CONNECTORS = 16;
    private static final int CLOSERS = 4;
    private static final long DRAIN_LOOK_NS = 2_000_000;
    private static final long LONGEST_WAIT_NS = 1_000_000_000;
    /** The first connection may take so many times as long as one attempt: some addresses may not answer. */
    private static final int ATTEMPTS = 3;
    private static final long END_MS = 5000;

    /** Connects to one address. Tests have others. */
    interface Connector {

        /** @param whenLost hears that the connection takes no new calls, and must do next to nothing */
        ServerLink connect(String address, Runnable whenLost);
    }

    private final String target;
    private final Settings settings;
    private final Clock clock;
    private final Connector connector;
    private final NameResolver resolver;
    private final ServerSet servers;
    private final ThreadLocal<Idler> idlers;
    /** By the classes that travel as object graphs. */
    private final Map<List<Class<?>>, ObjectCodec> codecs = new ConcurrentHashMap<>();
    private final HealthChecker health;
    private final ExecutorService connectors;
    private final ExecutorService closers;
    private final Thread thread;
    private volatile Snapshot snapshot = Snapshot.BEFORE;
    private volatile boolean closed;

    BalancedCore(Target target, Settings settings, ChannelOptions options, Connector connector) {
        this.target = target.text();
        this.settings = settings.copy();
        this.clock = settings.environment().clock();
        this.connector = connector;
        SeededRandom random = new SeededRandom(options.seed());
        this.servers = new ServerSet(options, target.isOwn(), random);
        this.idlers = ThreadLocal.withInitial(() -> Idler.ofCaller(this.settings.idle(), clock));
        this.resolver = target.open(this.settings, random);
        String name = target.name();
        this.health = new HealthChecker(options.health(), this.target, name, settings.environment());
        this.connectors = DaemonPool.make(settings.environment().threads(), CONNECTORS, "jvrpc-connect-" + name + "-");
        this.closers = DaemonPool.make(settings.environment().threads(), CLOSERS, "jvrpc-leave-" + name + "-");
        this.thread = settings.environment().threads().make(this::run, "jvrpc-channel-" + name);
    }

    /**
     * Connects: waits until a server is ready.
     *
     * @throws RpcException when none is: with the status that all have in common, else UNAVAILABLE
     * @throws IllegalArgumentException when the target is none
     */
    public static BalancedCore connect(Target target, Settings settings, ChannelOptions options) {
        settings.checkSession();
        Settings single = settings.copy();
        single.reconnect(false); // another connection is made here, after pauses of its own
        BalancedCore core = new BalancedCore(target, settings, options,
                (address, whenLost) -> ClientCore.connect(address, single, List.of(), whenLost));
        core.begin();
        return core;
    }

    /** Begins, and waits for the first server. */
    void begin() {
        boolean done = false;
        try {
            thread.start();
            resolver.start(new Servers());
            long limitNs = ATTEMPTS * settings.connectTimeoutNs();
            Waiting waiting = new Waiting(this, Deadline.after(clock, limitNs), limitNs, false);
            while (snapshot.ready().length == 0) {
                waiting.await(snapshot, List.of());
            }
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    /** What the resolver tells. */
    private final class Servers implements NameResolver.Listener {

        @Override
        public void onServers(List<ServerEntry> entries) {
            List<ServerEntry> now;
            try {
                now = List.copyOf(entries);
            } catch (NullPointerException e) { // of others' making
                onError(RpcException.notRun(Status.INTERNAL, "the resolver of " + target + " told null: " + entries));
                return;
            }
            pass(() -> {
                if (!closed) {
                    servers.resolved(now);
                }
            });
        }

        @Override
        public void onError(RpcException told) {
            RpcException failure = told != null ? told
                    : RpcException.notRun(Status.INTERNAL, "the resolver of " + target + " told no reason");
            LOG.debug("servers of {} are not looked up: {}", target, failure.getMessage());
            pass(() -> servers.unresolved(failure));
        }
    }

    // ---- states

    private void run() {
        while (!closed) {
            try {
                long waitNs = look();
                if (waitNs > 0 && !closed) {
                    clock.parkNanos(this, waitNs);
                }
            } catch (RuntimeException | Error e) { // without this thread nobody connects any more
                LOG.error("thread of {}", target, e);
                clock.parkNanos(this, LONGEST_WAIT_NS);
            }
            Thread.interrupted();
        }
    }

    /** Does what is due; returns how long nothing will be, in nanoseconds. */
    private long look() {
        pass();
        List<ServerLink> drained;
        long waitNs;
        synchronized (this) {
            drained = servers.takeDrained();
            waitNs = Math.min(LONGEST_WAIT_NS, servers.waitNs(clock.nanoTime()));
            waitNs = servers.isDraining() ? Math.min(waitNs, DRAIN_LOOK_NS) : waitNs;
        }
        drained.forEach(this::closeLater);
        return waitNs;
    }

    private void closeLater(ServerLink link) {
        try {
            closers.execute(link::close);
        } catch (RejectedExecutionException e) { // the client closes
            link.close();
        }
    }

    /** Looks at all states, begins attempts, and tells those who wait. Any thread. */
    void pass() {
        pass(() -> { });
    }

    /** As the other, behind a change of which nobody sees but what comes of it. */
    private void pass(Runnable change) {
        List<SubChannel> attempts = new ArrayList<>();
        Map<SubChannel, HealthProbe> checkups;
        boolean lost;
        synchronized (this) {
            change.run();
            if (closed) {
                return;
            }
            long nowNs = clock.nanoTime();
            lost = servers.dropLost();
            servers.outliers().look(servers.all(), nowNs);
            snapshot = servers.look(nowNs, attempts);
            checkups = servers.dueCheckups(nowNs);
            notifyAll();
        }
        checkups.forEach(this::checkUp);
        if (lost) {
            refresh();
        }
        for (SubChannel server : attempts) {
            try {
                connectors.execute(() -> attempt(server));
            } catch (RejectedExecutionException e) {
                return; // the client closes
            }
        }
        if (!attempts.isEmpty() || lost) {
            LockSupport.unpark(thread);
        }
    }

    /** Tries the addresses of a server whose time has come. */
    private void attempt(SubChannel server) {
        List<Way> ways;
        synchronized (this) {
            ways = server.dueWays(clock.nanoTime());
        }
        for (Way way : ways) {
            if (closed || server.isForgotten()) {
                break;
            }
            try {
                take(server, way, connector.connect(way.address(), () -> LockSupport.unpark(thread)));
                return;
            } catch (RuntimeException e) {
                RpcException failure = asFailure(way, e);
                LOG.debug("cannot connect to {}: {}", way.address(), failure.getMessage());
                synchronized (this) {
                    server.failed(way, failure, clock.nanoTime());
                }
            } catch (Error e) { // no thread, perhaps: others come later
                LOG.error("cannot connect to {}", way.address(), e);
                synchronized (this) {
                    server.failed(way, asFailure(way, new IllegalStateException(e.toString(), e)), clock.nanoTime());
                }
            }
        }
        refresh();
        pass(server::allFailed);
        LockSupport.unpark(thread); // which waits for the next attempt from now on
    }

    /** A resolver of others' making may fail; the calls that are here are not its business. */
    private void refresh() {
        try {
            resolver.refresh();
        } catch (RuntimeException e) {
            LOG.error("the resolver of {} failed", target, e);
        }
    }

    private void take(SubChannel server, Way way, ServerLink link) {
        boolean[] taken = new boolean[1];
        HealthProbe probe = health.probe(link);
        pass(() -> taken[0] = !closed && servers.connected(server, link, way, probe, clock.nanoTime()));
        if (!taken[0]) {
            link.close();
        }
    }

    /** An address that this host cannot use is one that cannot be connected to. */
    private static RpcException asFailure(Way way, RuntimeException e) {
        RuntimeException refusal = ClientDevice.refusal(e);
        return refusal instanceof RpcException known ? known
                : new RpcException(Status.UNAVAILABLE, way.address() + ": " + refusal, refusal);
    }

    // ---- calls

    String target() {
        return target;
    }

    Settings settings() {
        return settings;
    }

    Clock clock() {
        return clock;
    }

    Snapshot snapshot() {
        return snapshot;
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Returns true when object graphs may travel: where the client's user says so, and while all servers are on this
     * host. One that knows a server on a network has none at all, so that a call may go to any server.
     */
    boolean hasGraphs() {
        return settings.objectGraphs() || !servers.hasNetwork();
    }

    /** Returns the servers. Under this object's lock. */
    ServerSet set() {
        return servers;
    }

    /** A server is ejected, or comes back, by how a call ended. @param probe the call was made to see that */
    void ended(SubChannel server, boolean failed, boolean probe) {
        boolean tooMany = servers.outliers().isTooMany(server.outlier().ended(failed));
        if (!probe && !tooMany) {
            return;
        }
        pass(() -> {
            long nowNs = clock.nanoTime();
            if (probe) {
                servers.outliers().probed(server, failed, nowNs);
            } else {
                servers.outliers().eject(server, servers.all(), nowNs);
            }
        });
    }

    /** Asks a server whether it can serve, which gets no calls where it cannot. */
    private void checkUp(SubChannel server, HealthProbe probe) {
        health.ask(probe, (status, failure) -> {
            pass(() -> server.checkup().answered(probe, status, failure, clock.nanoTime()));
            LockSupport.unpark(thread); // which waits for the next question from now on
        });
    }

    @Override
    public AttemptChannel channel(ServiceDescriptor<?> descriptor, CallOptions options) {
        ObjectCodec graphs = codecs.computeIfAbsent(descriptor.objectClasses(), KryoCodec::new);
        BalancedChannel channel = new BalancedChannel(this, descriptor, graphs, options);
        channel.open();
        return channel;
    }

    @Override
    public String address() {
        return target;
    }

    @Override
    public boolean isConnected() {
        for (SubChannel server : snapshot.ready()) {
            if (server.isReady()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public synchronized List<ServerStatus> statuses() {
        return servers.all().stream().map(SubChannel::status).toList();
    }

    @Override
    public synchronized long offloadedCalls() {
        long sum = 0;
        for (SubChannel server : servers.all()) {
            ServerLink link = server.link();
            sum += link == null ? 0 : link.offloadedCalls();
        }
        return sum;
    }

    @Override
    public boolean poll() {
        boolean came = false;
        for (SubChannel server : snapshot.ready()) {
            ServerLink link = server.link();
            came |= link != null && link.takeAnswers();
        }
        Idler idler = idlers.get();
        if (came) {
            idler.busy();
        } else {
            idler.idle(clock.nanoTime());
        }
        return came;
    }

    @Override
    public void close() {
        List<ServerLink> links;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            links = servers.takeAll();
            snapshot = new Snapshot(new SubChannel[0], hash -> 0, new SubChannel[0], false);
            notifyAll();
        }
        try {
            resolver.close();
        } catch (RuntimeException e) {
            LOG.error("the resolver of {} failed", target, e);
        }
        LockSupport.unpark(thread);
        health.close();
        connectors.shutdown();
        links.forEach(this::closeLater); // at the same time: each may have to wait for its calls
        DaemonPool.end(closers);
        DaemonPool.end(connectors);
        join();
    }

    private void join() {
        if (Thread.currentThread() != thread) {
            try {
                thread.join(END_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
