package org.jvrpc.runtime.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.ServerContext;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.Status;
import org.jvrpc.api.admin.SessionInfo;
import org.jvrpc.api.health.ServerHealth;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.graph.ClosedGraphs;
import org.jvrpc.runtime.guard.Gate;
import org.jvrpc.runtime.guard.Guard;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.health.HealthTable;
import org.jvrpc.runtime.offload.ServerOffloads;
import org.jvrpc.runtime.server.queue.HeavyQueue;
import org.jvrpc.runtime.server.queue.ScratchMemory;
import org.jvrpc.runtime.server.setup.OwnServices;
import org.jvrpc.runtime.server.setup.ServerOptions;
import org.jvrpc.runtime.service.HandledCall;
import org.jvrpc.runtime.service.ServerInterceptors;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.stream.server.ServerStreams;
import org.jvrpc.runtime.stream.server.StreamHost;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.DaemonPool;
import org.jvrpc.runtime.thread.Threads;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.runtime.transport.Transport;
import org.jvrpc.runtime.verbs.ServerDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is behind the front door of a server: its device, its threads, and how they begin and end. Any thread. */
public final class ServerCore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServerCore.class);
    private static final ThreadLocal<ServerContext> CURRENT = new ThreadLocal<>();
    private static final long DRAIN_LOOK_NS = 200_000;
    private static final int QUIET_LOOKS = 3; // in a row, that find nothing under way any more

    private final String address;
    private final Settings settings;
    private final ServiceTable services;
    private final HealthTable health;
    private final ServerInterceptors interceptors;
    private final ExecutorService executor;
    private final boolean ownExecutor;
    private final HeavyQueue heavyCalls;
    private final ScratchMemory scratch = new ScratchMemory();
    private final ExecutorService allocator;
    private final boolean context;
    private final LongConsumer sessionEnd;
    private final ServerTransport device;
    private final Pollers pollers;
    private final SessionBudget budget;
    private final SessionLimits limits;
    private final ServerOffloads offloads;
    private final Guard guard;
    /** Null where nothing is counted. */
    private final Endpoint counters;
    /** Null where no method has any. */
    private final ServerStreams streams;
    private final CountDownLatch terminated = new CountDownLatch(1);
    private volatile boolean draining;
    private volatile boolean stopping;

    public ServerCore(ServerOptions options) {
        this.settings = options.settings().copy();
        this.services = new ServiceTable(options.services());
        this.health = new HealthTable(services.names());
        OwnServices.add(services, health, options, this::sessions);
        if (!settings.objectGraphs() && ClosedGraphs.areOffAt(options.address())) {
            services.objects(new ClosedGraphs(options.address()));
        }
        this.interceptors = new ServerInterceptors(options.interceptors());
        this.context = options.context();
        this.sessionEnd = options.sessionEnd();
        this.limits = options.limits();
        this.budget = new SessionBudget(limits);
        String name = options.address().replaceFirst("^.*://", "");
        this.guard = new Guard(options.guard(), settings.environment(), name);
        Undo undo = new Undo();
        try {
            this.device = undo.keep(ServerDevice.open(new Accepting(), new Transport.Setup(Protocol.CALLS,
                    options.address(), settings.pollers() + (services.haveStreams() ? 1 : 0), "jvrpc-control-" + name,
                    options.admission(), budget, settings.environment())));
            this.address = device.address();
            this.counters = settings.counters() ? undo.keep(Endpoint.ofServer(address)) : null;
            this.offloads = undo.keep(new ServerOffloads(device.device(), address, services, guard));
            options.offloads().forEach(offload -> offload.accept(offloads));
            this.pollers = new Pollers(this, device::events, name);
            this.streams = !services.haveStreams() ? null
                    : new ServerStreams(new Streams(), device.events(settings.pollers()), name, this::pollerFailed);
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
        this.ownExecutor = options.executor() == null;
        this.executor = !ownExecutor ? options.executor()
                : DaemonPool.make(threads(), Math.max(4, Runtime.getRuntime().availableProcessors()),
                        "jvrpc-heavy-" + name + "-");
        this.heavyCalls = new HeavyQueue(executor, settings.queuedCalls(), counters);
        this.allocator = DaemonPool.make(threads(), 1, "jvrpc-memory-" + name + "-");
    }

    /** Returns the call that this thread handles, or null. */
    public static ServerContext context() {
        return CURRENT.get();
    }

    public void start() {
        pollers.start();
        guard.start();
        device.start();
        LOG.info("serving at {}", address);
    }

    public String address() {
        return address;
    }

    public ServerOffloads offloads() {
        return offloads;
    }

    public Guard guard() {
        return guard;
    }

    ServerPoller poller(int number) {
        return pollers.get(number);
    }

    Settings settings() {
        return settings;
    }

    Endpoint counters() {
        return counters;
    }

    Clock clock() {
        return settings.environment().clock();
    }

    private Threads threads() {
        return settings.environment().threads();
    }

    public ServerHealth health() {
        return health;
    }

    ServiceTable services() {
        return services;
    }

    private List<SessionInfo> sessions() {
        return pollers.sessions();
    }

    public SessionBudget budget() {
        return budget;
    }

    HeavyQueue heavyCalls() {
        return heavyCalls;
    }

    ScratchMemory scratch() {
        return scratch;
    }

    boolean isDraining() {
        return draining;
    }

    /** Has memory made that takes long to make; UNAVAILABLE when the server is over. */
    void allocate(Runnable work) {
        DaemonPool.execute(allocator, work);
    }

    /** Runs a light handler, on the poller, for which an interrupt that a handler leaves behind is not meant. */
    void dispatchLight(ServiceTable.Method method, ServerSlot call) throws Throwable {
        try {
            if (context) {
                dispatch(call.context(), method, call);
            } else {
                dispatch(method, call);
            }
        } finally {
            Thread.interrupted();
        }
    }

    /** As {@link #dispatch(ServiceTable.Method, HandledCall)}, in a context for the calls that the handler makes. */
    void dispatch(RpcContext own, ServiceTable.Method method, HandledCall call) throws Throwable {
        RpcContext before = own.attach();
        try {
            dispatch(method, call);
        } finally {
            own.detach(before);
        }
    }

    /** Runs a handler through the interceptors. */
    void dispatch(ServiceTable.Method method, HandledCall call) throws Throwable {
        ServerInterceptor[] around = interceptors.of(call);
        if (!context && around == ServerInterceptors.NOBODY) {
            method.skeleton().dispatch(method.descriptor().index(), call);
        } else {
            intercept(around, method, call);
        }
    }

    private void intercept(ServerInterceptor[] around, ServiceTable.Method method, HandledCall call) throws Throwable {
        CURRENT.set(call);
        try {
            ServerInterceptors.run(around, method, call);
        } finally {
            CURRENT.remove();
        }
    }

    /** What the control thread asks of the server. */
    private final class Accepting implements ServerTransport.Server {
        @Override
        public String unavailable() {
            return draining ? "server is shutting down" : null;
        }

        @Override
        public void admit(Who who) {
            guard.connect(who);
        }

        @Override
        public int thread(IntUnaryOperator waiting) {
            return pollers.next(waiting);
        }

        @Override
        public int thread(Protocol asked, IntUnaryOperator waiting) {
            if (asked != Protocol.STREAMS) {
                return pollers.next(waiting);
            }
            if (streams == null) {
                throw new RpcException(Status.UNIMPLEMENTED, "no method here has a stream");
            }
            return settings.pollers();
        }

        @Override
        public long maxBytes() {
            return settings.maxBodyBytes();
        }

        @Override
        public long maxBytes(Protocol asked) {
            return asked == Protocol.STREAMS ? settings.streamWindow() : settings.maxBodyBytes();
        }

        @Override
        public Runnable session(long id, int thread, Hello asked, Link link, Bodies bodies) {
            if (thread == settings.pollers()) {
                return streams.session(id, asked, link, bodies);
            }
            ServerPoller poller = pollers.get(thread);
            ServerSession session = new ServerSession(
                    ServerCore.this, poller, id, link, bodies, asked, Protocol.CALLS.oneWayCredits(asked.firstUnits()));
            return () -> {
                link.keepAlive(settings.keepAliveNs());
                session.gate().begin(() -> poller.add(session));
            };
        }

        @Override
        public void deviceIsGone() {
            endElsewhere();
        }
    }

    /** What the streams ask of the server. */
    private final class Streams implements StreamHost {

        @Override
        public Settings settings() {
            return settings;
        }

        @Override
        public ServiceTable services() {
            return services;
        }

        @Override
        public Endpoint counters() {
            return counters;
        }

        @Override
        public Gate gate(long session, Who who, Consumer<String> end) {
            return guard.gate(session, who, end);
        }

        @Override
        public SessionLimits limits() {
            return limits;
        }

        @Override
        public Executor executor() {
            return executor;
        }

        @Override
        public Line newLine() {
            HeavyQueue.Line line = new HeavyQueue.Line();
            return (work, refused) -> heavyCalls.add(line, work, refused);
        }

        @Override
        public void dispatch(RpcContext own, ServiceTable.Method method, HandledCall call) throws Throwable {
            ServerCore.this.dispatch(own, method, call);
        }

        @Override
        public boolean isDraining() {
            return draining;
        }

        @Override
        public void bury(Runnable burial) {
            device.bury(burial);
        }

        @Override
        public void ended(long session) {
            device.bury(() -> sessionEnd.accept(session));
        }
    }

    /** A poller gives up, and nothing goes without it. */
    void pollerFailed() {
        LOG.error("{} is closed: a poller failed", address);
        endElsewhere();
    }

    /** Has another thread end the server: the end waits for the poller and the control thread. */
    private void endElsewhere() {
        draining = true;
        health.end();
        threads().make(this::shutdownNow, "jvrpc-drain").start();
    }

    /** Gives a session's memory back. Any thread. */
    void bury(ServerSession session) {
        device.bury(() -> sessionEnd.accept(session.id())); // on its own: a listener that fails ends nothing else
        device.bury(session::bury);
    }

    /** Takes no new clients and no new calls, and stops when the last is over. Returns at once. */
    public void shutdown() {
        if (!draining) {
            draining = true;
            health.end();
            device.unlisten();
            pollers.goAway();
            if (streams != null) {
                streams.goAway();
            }
            threads().make(this::drain, "jvrpc-drain").start();
        }
    }

    private void drain() {
        offloads.close();
        int quiet = 0;
        while (quiet < QUIET_LOOKS && !stopping) {
            clock().parkNanos(this, DRAIN_LOOK_NS);
            boolean rests = pollers.areQuiet() && !heavyCalls.hasOneWays() && (streams == null || streams.areQuiet());
            quiet = rests ? quiet + 1 : 0;
        }
        shutdownNow();
    }

    /** Stops at once. Idempotent. */
    public void shutdownNow() {
        synchronized (this) {
            if (stopping) {
                return;
            }
            draining = true;
            stopping = true;
        }
        health.end();
        device.expectEnd();
        device.unlisten();
        offloads.close();
        pollers.stop();
        if (streams != null) {
            streams.stop();
        }
        if (ownExecutor) {
            executor.shutdownNow();
        }
        allocator.shutdownNow();
        device.stop();
        Endpoint.close(counters);
        guard.close();
        terminated.countDown();
        LOG.info("stopped serving at {}", address);
    }

    /** Waits for the end that {@link #shutdown} began; returns false when the time was over first. */
    public boolean awaitTermination(Duration limit) throws InterruptedException {
        return terminated.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Shuts down, waits up to 5 s for calls in progress, then stops at once. Idempotent. */
    @Override
    public void close() {
        shutdown();
        try {
            awaitTermination(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        shutdownNow();
    }
}
