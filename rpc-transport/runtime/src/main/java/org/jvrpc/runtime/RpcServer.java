package org.jvrpc.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jvrpc.api.ServerContext;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server of one or more services at one address. Light methods run on its poller thread, one at a time: a handler
 * that blocks there holds up everybody, which is what {@code @RpcMethod(heavy = true)} is for. Any thread.
 */
public final class RpcServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RpcServer.class);
    private static final ThreadLocal<ServerCall> CURRENT = new ThreadLocal<>();
    private static final long DRAIN_LOOK_NS = 200_000;
    private static final int QUIET_LOOKS = 3; // in a row, that find nothing under way any more

    private final String address;
    private final Settings settings;
    private final ServiceTable services;
    private final ServerInterceptor[] interceptors;
    private final ExecutorService executor;
    private final boolean ownExecutor;
    private final HeavyQueue heavyCalls;
    private final ScratchMemory scratch = new ScratchMemory();
    private final ExecutorService allocator;
    private final boolean context;
    private final LongConsumer sessionEnd;
    private final Device device;
    private final ProtectionDomain pd;
    private final Listener listener;
    private final ServerPoller poller;
    private final ControlThread control;
    private final Acceptor acceptor;
    private final SessionBudget budget;
    private final ServerOffloads offloads;
    private final CountDownLatch terminated = new CountDownLatch(1);
    private volatile boolean draining;
    private volatile boolean stopping;

    private RpcServer(Builder builder) {
        this.settings = builder.settings.copy();
        this.services = builder.services;
        this.interceptors = builder.interceptors.toArray(new ServerInterceptor[0]);
        this.context = builder.context;
        this.sessionEnd = builder.sessionEnd;
        this.budget = new SessionBudget(builder.limits);
        String name = builder.address.replaceFirst("^.*://", "");
        Undo undo = new Undo();
        try {
            this.device = undo.keep(Devices.open(builder.address));
            this.pd = device.allocatePd();
            this.control = new ControlThread("jvrpc-control-" + name, new Control(), device);
            this.listener = control.listen(builder.address);
            this.address = listener.address();
            this.offloads = undo.keep(new ServerOffloads(device, pd, address, services));
            builder.offloads.forEach(offload -> offload.accept(offloads));
            this.poller = new ServerPoller(this, device.createChannel(), settings.idle(), name);
            this.acceptor = new Acceptor(new Accepting(), Protocol.CALLS, device, poller.channel(),
                    builder.admission, budget);
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
        this.ownExecutor = builder.executor == null;
        this.executor = !ownExecutor ? builder.executor
                : DaemonPool.make(Math.max(4, Runtime.getRuntime().availableProcessors()), "jvrpc-heavy-" + name + "-");
        this.heavyCalls = new HeavyQueue(executor, settings.queuedCalls());
        this.allocator = DaemonPool.make(1, "jvrpc-memory-" + name + "-");
    }

    /** Begins a server. */
    public static Builder builder() {
        return new Builder();
    }

    /** What a server is made with. One thread. */
    public static final class Builder {

        private final Settings settings = new Settings();
        private final ServiceTable services = new ServiceTable();
        private final List<ServerInterceptor> interceptors = new ArrayList<>();
        private String address;
        private final List<Consumer<ServerOffloads>> offloads = new ArrayList<>();
        private ExecutorService executor;
        private Admission admission = Admission.EVERYBODY;
        private SessionLimits limits = new SessionLimits();
        private boolean context;
        private LongConsumer sessionEnd = id -> { };

        private Builder() {
        }

        /** Sets the address, {@code shm://name} or {@code rdma://host:port}; port 0 is any that is free. */
        public Builder bind(String bindAddress) {
            address = bindAddress;
            return this;
        }

        /** Adds a service. @throws IllegalArgumentException when there is one of its name, or no generated code */
        public <T> Builder service(Class<T> service, T implementation) {
            services.add(ServiceDescriptor.of(service), java.util.Objects.requireNonNull(implementation));
            return this;
        }

        /** Offers a method from the start, see {@link RpcServer#offload}; {@link RpcServer#offloaded} returns it. */
        public <T> Builder offload(Class<T> service, String method, OffloadSettings offloadSettings) {
            OffloadSettings copy = offloadSettings.copy();
            offloads.add(all -> all.offer(service, method, copy));
            return this;
        }

        /** Sets where heavy methods run; the default is a pool of its own. The server does not shut it down. */
        public Builder executor(ExecutorService heavy) {
            executor = heavy;
            return this;
        }

        /** Sets who may connect; default everybody. */
        public Builder admission(Admission who) {
            admission = java.util.Objects.requireNonNull(who, "admission");
            return this;
        }

        /**
         * Sets how many heavy calls with an answer may wait for the executor, of all clients, 1 to 1,048,576, default
         * 16,384: one more ends with RESOURCE_EXHAUSTED. One-way calls hold credits of their client instead.
         */
        public Builder queuedCalls(int most) {
            settings.queuedCalls(most);
            return this;
        }

        /** Sets what clients may cost, each and together; see there for the defaults. */
        public Builder limits(SessionLimits sessionLimits) {
            limits = sessionLimits.copy();
            return this;
        }

        /** Sets how the poller waits; default {@link IdleStrategy#ADAPTIVE}. */
        public Builder idle(IdleStrategy idle) {
            settings.idle(idle);
            return this;
        }

        /** Sets the longest body that is taken, in bytes, 1 MiB to 1 GiB, default 1 GiB. */
        public Builder maxBodyBytes(long maxBodyBytes) {
            settings.maxBodyBytes(maxBodyBytes);
            return this;
        }

        /**
         * Sets after which time without traffic a client on another host is asked, by its card, whether it is still
         * there, 100 ms to 1 day, default 60 s. A client that is not is found after at most twice that, and what it had
         * is given back.
         */
        public Builder keepAlive(Duration idle) {
            settings.keepAlive(idle);
            return this;
        }

        /** Adds an interceptor; the first added is the outermost. */
        public Builder intercept(ServerInterceptor interceptor) {
            interceptors.add(interceptor);
            return this;
        }

        /** Makes {@link RpcServer#context()} available to handlers, for some nanoseconds a call; default off. */
        public Builder context(boolean available) {
            context = available;
            return this;
        }

        /** Sets who hears the number of a session that ended, when handlers get no new calls of it. Must not wait. */
        public Builder onSessionEnd(LongConsumer listener) {
            sessionEnd = java.util.Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Starts.
         *
         * @throws IllegalArgumentException without an address or a service
         * @throws VerbsException when the address is in use, or this host has no device for it
         */
        public RpcServer start() {
            if (address == null || services.isEmpty()) {
                throw new IllegalArgumentException("a server needs bind(address) and at least one service(…): address="
                        + address);
            }
            RpcServer server = new RpcServer(this);
            server.poller.start();
            server.control.start();
            LOG.info("serving at {}", address);
            return server;
        }
    }

    /**
     * Returns the call that this thread handles, or null outside a handler. For servers made with
     * {@link Builder#context}.
     */
    public static ServerContext context() {
        return CURRENT.get();
    }

    /** Returns the address, with the port that was taken where it was given as 0. */
    public String address() {
        return address;
    }

    /**
     * Offers answers of a method to programs: clients that open the service from now on find what is published there
     * without this process's CPU. The host is at this server's address with {@code .offload} behind it.
     *
     * @param method name of a method with {@code @Offload}, or, where there are several, with its parameters as its
     *     signature has them: {@code get(long)}
     * @throws IllegalArgumentException when there is no such method, or it is offered already
     * @throws VerbsException when there is no memory, or the host's address is taken
     */
    public <T> OffloadedMethod<T> offload(Class<T> service, String method, OffloadSettings offloadSettings) {
        return offloads.offer(service, method, offloadSettings);
    }

    /** Returns a method that was offered. @throws IllegalArgumentException when it was not */
    public <T> OffloadedMethod<T> offloaded(Class<T> service, String method) {
        return offloads.offered(service, method);
    }

    Settings settings() {
        return settings;
    }

    ServiceTable services() {
        return services;
    }

    SessionBudget budget() {
        return budget;
    }

    /** Returns the calls that wait for the executor. */
    HeavyQueue heavyCalls() {
        return heavyCalls;
    }

    ScratchMemory scratch() {
        return scratch;
    }

    /** Returns true when messages may lie in the queues since a pause of the poller. Poller thread. */
    boolean hasPaused() {
        return poller.hasPaused();
    }

    boolean isDraining() {
        return draining;
    }

    /** Has memory made that takes long to make; UNAVAILABLE when the server is over. */
    void allocate(Runnable work) {
        DaemonPool.execute(allocator, work);
    }

    void wakePoller() {
        poller.wake();
    }

    /** As {@link #dispatch}, on the poller, for which an interrupt that a handler leaves behind is not meant. */
    void dispatchLight(ServiceTable.Method method, ServerCall call) throws Throwable {
        try {
            dispatch(method, call);
        } finally {
            Thread.interrupted();
        }
    }

    /** Runs a handler through the interceptors. */
    void dispatch(ServiceTable.Method method, ServerCall call) throws Throwable {
        if (!context && interceptors.length == 0) {
            method.skeleton().dispatch(method.descriptor().index(), call);
            return;
        }
        CURRENT.set(call);
        try {
            new ServerChain(interceptors, 0, method, call).proceed();
        } finally {
            CURRENT.remove();
        }
    }

    // ---- control thread

    /** What that thread does for the server. */
    private final class Control implements ControlThread.Server {

        @Override
        public ConnectionRequest poll() {
            return listener.poll();
        }

        @Override
        public void accept(ConnectionRequest request) {
            acceptor.accept(request);
        }

        @Override
        public void deviceIsGone() {
            endElsewhere();
        }
    }

    /** What the acceptor does for the server. Control thread. */
    private final class Accepting implements Acceptor.Server {

        @Override
        public String address() {
            return address;
        }

        @Override
        public String unavailable() {
            return draining ? "server is shutting down" : null;
        }

        @Override
        public long maxBytes() {
            return settings.maxBodyBytes();
        }

        @Override
        public Consumer<Connection> session(long id, Hello asked, Link link, SessionDomain domain) {
            ServerSession session = new ServerSession(RpcServer.this, id, link, new BodyPool(domain), asked,
                    Protocol.CALLS.oneWayCredits(asked.units()));
            return connection -> {
                session.connected(connection);
                link.keepAlive = KeepAlive.of(connection, link, settings.keepAliveNs());
                poller.add(session);
            };
        }
    }

    /** The poller gives up, and nothing goes without it. */
    void pollerFailed() {
        LOG.error("{} is closed: its poller failed", address);
        endElsewhere();
    }

    /** Has another thread end the server: the end waits for the poller and the control thread. */
    private void endElsewhere() {
        draining = true;
        Thread ending = new Thread(this::shutdownNow, "jvrpc-drain");
        ending.setDaemon(true);
        ending.start();
    }

    /** Has the control thread give a session's memory back. Any thread. */
    void bury(ServerSession session) {
        control.bury(() -> sessionEnd.accept(session.id())); // on its own: a listener that fails ends nothing else
        control.bury(session::bury);
    }

    // ---- the end

    /**
     * Takes no new clients and no new calls; those in progress end in their time, one-way calls that were received
     * among them. Returns at once; see
     * {@link #awaitTermination}.
     */
    public void shutdown() {
        if (!draining) {
            draining = true;
            listener.close();
            poller.goAway();
            Thread drainer = new Thread(this::drain, "jvrpc-drain");
            drainer.setDaemon(true);
            drainer.start();
        }
    }

    private void drain() {
        offloads.close();
        int quiet = 0;
        while (quiet < QUIET_LOOKS && !stopping) {
            LockSupport.parkNanos(DRAIN_LOOK_NS);
            quiet = poller.isQuiet() && !heavyCalls.hasOneWays() ? quiet + 1 : 0;
        }
        shutdownNow();
    }

    /** Stops at once: calls in progress fail for their callers with UNAVAILABLE. Idempotent. */
    public void shutdownNow() {
        synchronized (this) {
            if (stopping) {
                return;
            }
            draining = true;
            stopping = true;
        }
        control.expectEnd();
        listener.close();
        offloads.close();
        poller.stop();
        if (ownExecutor) {
            executor.shutdownNow();
        }
        allocator.shutdownNow();
        control.stop();
        device.close();
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
