package org.jvrpc.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.ServerContext;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.auth.AuditLog;
import org.jvrpc.api.auth.Authorizer;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.auth.TokenVerifier;
import org.jvrpc.api.health.ServerHealth;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.channel.Registrations;
import org.jvrpc.runtime.offload.MethodPublisher;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.runtime.server.ServerCore;
import org.jvrpc.runtime.server.setup.ServerOptions;
import org.jvrpc.verbs.VerbsException;

/**
 * A server of one or more services at one address. Light methods run on its poller thread, one at a time: a handler
 * that blocks there holds up everybody, or all clients of that poller where there are several, which is what
 * {@code @RpcMethod(heavy = true)} is for. Any thread.
 */
public final class RpcServer implements AutoCloseable {

    private final ServerCore core;
    private final Registrations registrations;
    private final Map<MethodPublisher<?>, OffloadedMethod<?>> offloaded = new ConcurrentHashMap<>();

    private RpcServer(ServerCore core, Registrations registrations) {
        this.core = core;
        this.registrations = registrations;
    }

    /** Begins a server. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a server. One thread. */
    public static final class Builder {

        private final ServerOptions options = new ServerOptions();
        private final Registrations registrations = new Registrations();

        private Builder() {
        }

        /** Sets the address, {@code shm://name} or {@code rdma://host:port}; port 0 is any that is free. */
        public Builder bind(String bindAddress) {
            options.address(bindAddress);
            return this;
        }

        /** Adds a service. @throws IllegalArgumentException when there is one of its name, or no generated code */
        public <T> Builder service(Class<T> service, T implementation) {
            return service(ServiceDescriptor.of(service), implementation);
        }

        /**
         * Adds a service that is described by something else than generated code of an interface.
         *
         * @throws IllegalArgumentException when there is one of its name
         */
        public <T> Builder service(ServiceDescriptor<T> service, T implementation) {
            options.service(service, Objects.requireNonNull(implementation, "implementation"));
            return this;
        }

        /** Offers a method from the start, see {@link RpcServer#offload}; {@link RpcServer#offloaded} returns it. */
        public <T> Builder offload(Class<T> service, String method, OffloadSettings offloadSettings) {
            OffloadSettings copy = offloadSettings.copy();
            options.offloads().add(all -> all.offer(service, method, copy));
            return this;
        }

        /** Sets where heavy methods run; the default is a pool of its own. The server does not shut it down. */
        public Builder executor(ExecutorService heavy) {
            options.executor(heavy);
            return this;
        }

        /** Sets who may connect; default everybody. */
        public Builder admission(Admission who) {
            options.admission(Objects.requireNonNull(who, "admission"));
            return this;
        }

        /**
         * Sets how many heavy calls with an answer may wait for the executor, of all clients, 1 to 1,048,576, default
         * 16,384: one more ends with RESOURCE_EXHAUSTED. One-way calls hold credits of their client instead.
         */
        public Builder queuedCalls(int most) {
            options.settings().queuedCalls(most);
            return this;
        }

        /** Sets limits on the cost of clients, each and together; see there for the defaults. */
        public Builder limits(SessionLimits sessionLimits) {
            options.limits(sessionLimits.copy());
            return this;
        }

        /**
         * Sets how many threads take calls, 1 to 64, default 1. Each new client is given to the one that has the
         * fewest, and stays there. Light methods of one client run one at a time, in the order of its calls; with
         * several pollers those of different clients run at the same time, and handlers must be ready for that.
         */
        public Builder pollers(int threads) {
            options.settings().pollers(threads);
            return this;
        }

        /** Sets how the pollers wait; default {@link IdleStrategy#ADAPTIVE}. */
        public Builder idle(IdleStrategy idle) {
            options.settings().idle(idle);
            return this;
        }

        /** Sets the longest body that is taken, in bytes, 1 MiB to 1 GiB, default 1 GiB. */
        public Builder maxBodyBytes(long maxBodyBytes) {
            options.settings().maxBodyBytes(maxBodyBytes);
            return this;
        }

        /**
         * Sets after which time without traffic a client on another host is asked, by its card, whether it is still
         * there, 100 ms to 1 day, default 60 s. A client that is not is found after at most twice that, and what it had
         * is given back.
         */
        public Builder keepAlive(Duration idle) {
            options.settings().keepAlive(idle);
            return this;
        }

        /**
         * Says whether methods with object graphs (Kryo) may be called over networks, default no: they fail with
         * FAILED_PRECONDITION. Peers of this host ({@code shm}, {@code unix}, {@code inproc}) may in any case.
         */
        public Builder objectGraphs(boolean allowed) {
            options.settings().objectGraphs(allowed);
            return this;
        }

        /**
         * Sets how many bytes of each stream may wait here for their handler, 4 KiB to 64 MiB, default 256 KiB; also
         * the longest element, with 4 bytes of its length.
         */
        public Builder streamWindow(int bytes) {
            options.settings().streamWindow(bytes);
            return this;
        }

        /** Adds an interceptor; the first added is the outermost. */
        public Builder intercept(ServerInterceptor interceptor) {
            options.interceptors().add(interceptor);
            return this;
        }

        /**
         * Makes {@link RpcServer#context()} available to handlers, and runs light ones in an
         * {@link org.jvrpc.api.RpcContext}, as heavy ones do in any case, for some nanoseconds a call; default off.
         */
        public Builder context(boolean available) {
            options.context(available);
            return this;
        }

        /**
         * Says whether clients may ask which services there are, and how they look on the wire, by
         * {@link org.jvrpc.api.reflection.Reflection}, which {@code jvrpc list}, {@code describe} and {@code call} do;
         * default no. With an {@link #authorizer} it decides, as on any service.
         */
        public Builder reflection(boolean offered) {
            options.reflection(offered);
            return this;
        }

        /**
         * Says whether clients may ask for sessions and settings by {@link org.jvrpc.api.admin.Admin}, as
         * {@code jvrpc admin} does; default no. With an {@link #authorizer} it decides, as on any service.
         */
        public Builder admin(boolean offered) {
            options.admin(offered);
            return this;
        }

        /**
         * Sets a listener for the number of each session that ends, once handlers get no new calls of it. Must not
         * wait.
         */
        public Builder onSessionEnd(LongConsumer listener) {
            options.sessionEnd(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /** Sets the authorizer, which decides what callers may do; default none: everything is allowed. */
        public Builder authorizer(Authorizer decides) {
            options.guard().authorizer(Objects.requireNonNull(decides, "authorizer"));
            return this;
        }

        /**
         * Sets the verifier of tokens, which callers show by {@link org.jvrpc.api.auth.CallCredentials#bearer}; default
         * none: tokens are ignored.
         */
        public Builder tokens(TokenVerifier verifier) {
            options.guard().verifier(Objects.requireNonNull(verifier, "verifier"));
            return this;
        }

        /** Sets the limits of each principal; default none. */
        public Builder principalLimits(PrincipalLimits each) {
            options.guard().limits(each.copy());
            return this;
        }

        /** Sets the log of sessions, opened services and refusals; default none. See {@link Audit#slf4j}. */
        public Builder audit(AuditLog log) {
            options.guard().audit(Objects.requireNonNull(log, "audit"), false);
            return this;
        }

        /** As {@link #audit}, and of each call that is let through, too. */
        public Builder auditCalls(AuditLog log) {
            options.guard().audit(Objects.requireNonNull(log, "audit"), true);
            return this;
        }

        /**
         * Sets how long at most a session may go on of somebody whom the authorizer does not admit any more, or whose
         * certificate has expired, 100 ms to a day, default 30 s. Calls are asked for each on its own; with a session
         * that is ended so those in progress end with UNAUTHENTICATED or UNAVAILABLE.
         */
        public Builder recheck(Duration bound) {
            options.guard().recheck(bound);
            return this;
        }

        /**
         * Says whether calls are counted where {@link org.jvrpc.runtime.counters.Counters} and {@code jvrpc top} read;
         * the default is yes, unless {@code -Djvrpc.counters=false}.
         */
        public Builder counters(boolean counted) {
            options.settings().counters(counted);
            return this;
        }

        /**
         * Tells a registry where the server is, once it takes calls, until it drains or stops, so that clients of the
         * target find it: {@code zk://host:2181/service}. The registry is told the address that the server is bound to,
         * and which host this is, so that clients on it may use shared memory.
         *
         * @throws IllegalArgumentException when no {@link org.jvrpc.runtime.resolve.ServiceRegistryProvider} on the
         *     class path has the target's scheme
         */
        public Builder register(String target) {
            return register(target, self -> self);
        }

        /**
         * As the other, with something else told: more addresses of the same services, the name by which others reach
         * this host, a weight.
         *
         * @param change is given what would be told; may not return null
         */
        public Builder register(String target, UnaryOperator<ServerEntry> change) {
            registrations.add(target, Objects.requireNonNull(change, "change"));
            return this;
        }

        /**
         * Starts.
         *
         * @throws IllegalArgumentException without an address or a service
         * @throws VerbsException when the address is in use, or this host has no device for it
         * @throws org.jvrpc.api.RpcException when a registry refuses or cannot be reached in 3 s
         */
        public RpcServer start() {
            if (options.address() == null || !options.hasServices()) {
                throw new IllegalArgumentException("a server needs bind(address) and at least one service(…): address="
                        + options.address());
            }
            ServerCore core = new ServerCore(options);
            core.start();
            RpcServer server = new RpcServer(core, registrations);
            try {
                registrations.register(core.address(), options.settings().environment());
            } catch (RuntimeException | Error e) {
                core.shutdownNow();
                throw e;
            }
            return server;
        }
    }

    /**
     * Returns the call that this thread handles, or null outside a handler. For servers made with
     * {@link Builder#context}.
     */
    public static @Nullable ServerContext context() {
        return ServerCore.context();
    }

    /** Returns the address, with the port that was taken where it was given as 0. */
    public String address() {
        return core.address();
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
        return front(core.offloads().offer(service, method, offloadSettings));
    }

    /** Returns a method that was offered. @throws IllegalArgumentException when it was not */
    public <T> OffloadedMethod<T> offloaded(Class<T> service, String method) {
        return front(core.offloads().offered(service, method));
    }

    @SuppressWarnings("unchecked") // the method is of this service
    private <T> OffloadedMethod<T> front(MethodPublisher<T> publisher) {
        return (OffloadedMethod<T>) offloaded.computeIfAbsent(publisher, OffloadedMethod::new);
    }

    /**
     * Ends the sessions of some principals, at once, and lets them in no more; tokens of theirs are refused. Their
     * calls in progress end with UNAUTHENTICATED or UNAVAILABLE.
     *
     * @param which is asked about principals, by this thread and by the server's; it must not wait
     * @return takes that back when it is closed: they may come again, where they are admitted
     */
    public AutoCloseable revoke(Predicate<RpcPrincipal> which) {
        return core.guard().revoke(Objects.requireNonNull(which, "which"));
    }

    /** Returns what says whether this server, and each of its services, can serve. */
    public ServerHealth health() {
        return core.health();
    }

    ServerCore core() {
        return core;
    }

    /**
     * Takes no new clients and no new calls; those in progress end in their time, one-way calls that were received
     * among them, but not those whose callers gave up, whose handlers may be cut off. The end comes when clients have
     * their answers, and 5 s and 100 ns a byte behind the last call at the latest where one does not take its answer.
     * Where it is registered it leaves the registry first, within 3 s, and takes calls meanwhile. Returns at once; see
     * {@link #awaitTermination}.
     */
    public void shutdown() {
        registrations.leaveThen(core::shutdown);
    }

    /** Stops at once: calls in progress fail for their callers with UNAVAILABLE. Idempotent. */
    public void shutdownNow() {
        core.shutdownNow();
        registrations.leaveSoon();
    }

    /** Waits for the end that {@link #shutdown} began; returns false when the time was over first. */
    public boolean awaitTermination(Duration limit) throws InterruptedException {
        return core.awaitTermination(limit);
    }

    /** Shuts down, waits up to 5 s for calls in progress, then stops at once. Idempotent. */
    @Override
    public void close() {
        registrations.leave();
        core.close();
    }
}
