package org.jvrpc.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.HedgingPolicy;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.api.retry.RetryThrottling;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.balance.ConnectionBackoff;
import org.jvrpc.runtime.balance.LeastSecurity;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.runtime.balance.OutlierEjection;
import org.jvrpc.runtime.balance.ServerStatus;
import org.jvrpc.runtime.channel.BalancedCore;
import org.jvrpc.runtime.channel.ChannelOptions;
import org.jvrpc.runtime.channel.lookup.Target;
import org.jvrpc.runtime.connection.ClientCore;
import org.jvrpc.runtime.health.HealthOptions;
import org.jvrpc.runtime.invocation.AttemptChannel;
import org.jvrpc.runtime.invocation.AttemptService;
import org.jvrpc.runtime.invocation.ExecutorChannel;
import org.jvrpc.runtime.retry.Retries;
import org.jvrpc.runtime.retry.RetrySettings;
import org.jvrpc.runtime.route.CallCore;
import org.jvrpc.runtime.session.Settings;

/**
 * A client of one server, or of several that have the same services. Stubs made by it may be used by many threads. When
 * the server dies, calls in flight fail with {@link Status#UNAVAILABLE}, later ones do so at once until the server is
 * back: the client connects again by itself. Where there are several, later calls go to another one.
 *
 * <p>What it is connected to is the address of one server, {@code scheme://…}, or a target:
 * {@code list:ADDRESS,ADDRESS|ADDRESS} has a comma between servers and a bar between the addresses of one,
 * {@code dns://host:port} is each address of a host by {@code tcp://}, {@code dns+tls://host:port?trust=FILE} by
 * {@code tls://} with these options, and other schemes are those of a {@link org.jvrpc.runtime.resolve.NameResolver} on
 * the class path. Which server gets a call is {@link Builder#loadBalancing}'s to say.
 *
 * <p>A call has one deadline for all that it waits for. A thread that is interrupted while it waits gets an
 * {@link RpcException} with {@link Status#CANCELLED} and stays interrupted; the server is told. What depends on a
 * future runs on whichever thread polled the answer, so it must not block: where it would, use the {@code …Async}
 * methods.
 */
public final class RpcClient implements AutoCloseable {

    private final CallCore core;
    /** What makes calls again, or null where nothing does. */
    private final @Nullable Retries retries;

    private final @Nullable Executor callbackExecutor;

    private RpcClient(CallCore core, @Nullable Retries retries, @Nullable Executor callbackExecutor) {
        this.core = core;
        this.retries = retries;
        this.callbackExecutor = callbackExecutor;
    }

    /** Connects with the default settings. @throws RpcException UNAVAILABLE when there is no server */
    public static RpcClient connect(String address) {
        return builder(address).connect();
    }

    /** Begins a client for the address of a server, or a target of several. */
    public static Builder builder(String address) {
        return new Builder(address);
    }

    /** Builds a client. One thread. */
    public static final class Builder {

        private final String address;
        private final Settings settings = new Settings();
        private final ChannelOptions channel = new ChannelOptions();
        private final List<ClientInterceptor> interceptors = new ArrayList<>();
        private final RetrySettings retries = new RetrySettings();
        private @Nullable Executor callbackExecutor;

        private Builder(String address) {
            this.address = address;
        }

        /**
         * Sets how many calls may be in flight, 1 to 4096, default 64. Some fewer one-way calls may be under way
         * beside them.
         */
        public Builder slots(int slots) {
            settings.slots(slots);
            return this;
        }

        /**
         * Sets how many of the slots a session has at first, 1 to 4096, default 2, and all where there are fewer. A
         * call that finds none free has both sides make memory for four times as many, up to {@link #slots}, and waits
         * until one comes free or the new ones are there: some hundred microseconds, three times in the life of a
         * session with the defaults. With all slots at first nobody waits for them, and sessions take more memory.
         */
        public Builder initialSlots(int slots) {
            settings.initialSlots(slots);
            return this;
        }

        /** Sets the longest body that goes without rendezvous, in bytes, 256 to 1 MiB, default 4096. */
        public Builder slotBytes(int slotBytes) {
            settings.slotBytes(slotBytes);
            return this;
        }

        /** Sets the longest answer that is taken, in bytes, 1 MiB to 1 GiB, default 1 GiB. */
        public Builder maxBodyBytes(long maxBodyBytes) {
            settings.maxBodyBytes(maxBodyBytes);
            return this;
        }

        /** Sets the deadline of methods that have none of their own; default 30 s. */
        public Builder deadline(Duration deadline) {
            settings.deadline(deadline);
            return this;
        }

        /** Sets how callers wait; default {@link IdleStrategy#ADAPTIVE}. */
        public Builder idle(IdleStrategy idle) {
            settings.idle(idle);
            return this;
        }

        /** Sets how long connecting may take; default 5 s. */
        public Builder connectTimeout(Duration timeout) {
            settings.connectTimeout(timeout);
            return this;
        }

        /** Sets whether the client connects again when the connection is lost; default true. */
        public Builder reconnect(boolean reconnect) {
            settings.reconnect(reconnect);
            return this;
        }

        /**
         * Sets after how long without a call a server on another host is asked whether it is there, 100 ms to a day,
         * default 60 s. One that gives no sign of life for as long again counts as lost. By shared memory the end of a
         * server is known at once.
         */
        public Builder keepAlive(Duration idle) {
            settings.keepAlive(idle);
            return this;
        }

        /**
         * Sets for how long half of the slots may be held by calls that were given up, by deadline or interrupt, and
         * not answered yet, 1 ms to an hour, default 1 s. Then the client connects anew: new calls go to the new
         * session, those in flight go on in the old one. Not without {@link #reconnect(boolean)}.
         */
        public Builder renewAfter(Duration time) {
            settings.renewAfter(time);
            return this;
        }

        /**
         * Sets how many threads may have a method with {@link org.jvrpc.api.Offload} answered by program at once: 0,
         * for ordinary calls alone, or a power of two up to 64, default 4. A call more is an ordinary one.
         */
        public Builder offloadConnections(int connections) {
            settings.offloadConnections(connections);
            return this;
        }

        /**
         * Sets how long a program may take before an ordinary call is made; default: twice as long as ordinary calls
         * to this server lately took in its place, 20 us to 10 ms.
         */
        public Builder offloadWait(Duration wait) {
            settings.offloadWait(wait);
            return this;
        }

        /**
         * Lets calls show their credentials even where everybody on the way can read them: over {@code tcp://},
         * {@code roce://} and {@code rdma://}, in networks that are trusted as hosts are.
         */
        public Builder allowCredentialsInPlain() {
            settings.plainCredentials(true);
            return this;
        }

        /** Sets the policy that chooses the server of a call; default {@link LoadBalancing#nearest()}. */
        public Builder loadBalancing(LoadBalancing policy) {
            channel.balancing(policy);
            return this;
        }

        /**
         * Keeps calls away from a server for a while when too many of them fail; default never. For several servers.
         */
        public Builder outlierEjection(OutlierEjection ejection) {
            channel.ejection(ejection);
            return this;
        }

        /**
         * Asks each of several servers whether it can serve: when it is connected to, before it gets calls, and
         * each period after that; default never. One that says anything but SERVING gets no calls until it does, and
         * one that does not say, or refuses to, as well; see {@link org.jvrpc.api.health.Health}, which the server's
         * authorizer has to let this client call without credentials. A server without that service, of an earlier
         * version, gets calls. A client of one address does not ask.
         *
         * @param service its name on the wire; empty for the server as a whole
         * @param period 10 ms to a day, a tenth more or less; an answer may take as long, and a second at least
         * @throws IllegalArgumentException for another period
         */
        public Builder healthCheck(String service, Duration period) {
            channel.health(HealthOptions.of(service, period));
            return this;
        }

        /**
         * Says whether calls are counted where {@link org.jvrpc.runtime.counters.Counters} and {@code jvrpc top} read;
         * the default is yes, unless {@code -Djvrpc.counters=false}.
         */
        public Builder counters(boolean counted) {
            settings.counters(counted);
            return this;
        }

        /** Sets the pauses between attempts to connect to each of several servers on networks. */
        public Builder connectionBackoff(ConnectionBackoff backoff) {
            channel.backoff(backoff);
            return this;
        }

        /** Sets which addresses are used at all, of one server and of several; default {@link LeastSecurity#NONE}. */
        public Builder leastSecurity(LeastSecurity least) {
            channel.least(least);
            return this;
        }

        /**
         * Adds options to addresses that a resolver finds, as a resolver cannot give any: {@code ("tls", "trust=FILE")}
         * says which certificates servers are to have, {@code ("tls", "trust=FILE&name=orders.example")} and that it
         * is this name that they prove, not the host's that the resolver says.
         *
         * @param options without the question mark, all of a scheme at once
         */
        public Builder addressOptions(String scheme, String options) {
            channel.addressOptions(scheme, options);
            return this;
        }

        /**
         * Says whether methods with object graphs (Kryo) may be called over networks, default no: they fail with
         * FAILED_PRECONDITION. Peers of this host ({@code shm}, {@code unix}, {@code inproc}) may in any case.
         */
        public Builder objectGraphs(boolean allowed) {
            settings.objectGraphs(allowed);
            return this;
        }

        /**
         * Sets how many bytes of each stream may wait here for their consumer, 4 KiB to 64 MiB, default 256 KiB; also
         * the longest element, with 4 bytes of its length.
         */
        public Builder streamWindow(int bytes) {
            settings.streamWindow(bytes);
            return this;
        }

        /**
         * Adds an interceptor; the first added is the outermost. Interceptors stand around a call with all its
         * attempts: they see one call, its last answer, and the deadline that bounds them together.
         */
        public Builder intercept(ClientInterceptor interceptor) {
            interceptors.add(interceptor);
            return this;
        }

        /** Retries failed calls; as {@link #retry(String, RetryPolicy)} with {@code *}. */
        public Builder retry(RetryPolicy policy) {
            return retry(RetrySettings.ALL, policy);
        }

        /**
         * Retries failed calls of some methods: of idempotent ones by the policy, of others where it is known
         * that they did not run. A method has the policy of its name, else of its service, else of all. With any policy
         * the client keeps the arguments of its calls until they have ended, and methods with
         * {@link org.jvrpc.api.Offload} are called as others are.
         *
         * @param methods {@code *}, {@code service/*} or {@code service/method}, by the names on the wire
         */
        public Builder retry(String methods, RetryPolicy policy) {
            retries.retry(methods, policy);
            return this;
        }

        /**
         * Hedges calls of some methods, idempotent ones alone: makes them again before they have ended. As
         * {@link #retry(String, RetryPolicy)}, which it goes before for the same methods.
         */
        public Builder hedging(String methods, HedgingPolicy policy) {
            retries.hedge(methods, policy);
            return this;
        }

        /** Sets when this client stops retrying because too many calls fail; default never. */
        public Builder retryThrottling(RetryThrottling throttling) {
            retries.throttling(throttling);
            return this;
        }

        /** Sets how long arguments may be that are kept for another attempt, 0 to 1 GiB, default 1 MiB. */
        public Builder perCallBufferLimit(int bytes) {
            retries.bufferLimit(bytes);
            return this;
        }

        /** Sets where futures complete and callbacks run, unless options say otherwise; see {@link CallOptions}. */
        public Builder callbackExecutor(Executor executor) {
            callbackExecutor = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /**
         * Connects. Of several servers one has to be ready, within three times {@link #connectTimeout}.
         *
         * @throws RpcException UNAVAILABLE when there is no server, or this host has no device for the address,
         *     FAILED_PRECONDITION when it refuses,
         *     RESOURCE_EXHAUSTED when one of the two sides has no memory for a session
         * @throws IllegalArgumentException when the address is not one, or below {@link #leastSecurity}, or slots ×
         *     slotBytes is more than 64 MiB
         */
        public RpcClient connect() {
            Target target = Target.parse(address);
            String name = address.replaceFirst("^.*://", "");
            boolean makesAgain = target != null || !retries.isEmpty(); // at another server, policy or not
            Retries again =
                    makesAgain ? new Retries(retries, settings.environment(), name, interceptors) : null;
            if (target != null) {
                return new RpcClient(BalancedCore.connect(target, settings, channel), again, callbackExecutor);
            }
            channel.checkSecurity(address);
            ClientCore core = ClientCore.connect(address, settings, makesAgain ? List.of() : interceptors);
            return new RpcClient(core, again, callbackExecutor);
        }
    }

    /**
     * Makes a stub with the default options.
     *
     * @throws RpcException UNIMPLEMENTED when the server has no such service, FAILED_PRECONDITION when its interface
     *     differs: the message names the methods
     */
    public <T> T stub(Class<T> service) {
        return stub(service, CallOptions.DEFAULT);
    }

    /**
     * Makes a stub whose calls have these options. To make it has the time that the client's calls have by default.
     *
     * @throws RpcException as {@link #stub(Class)}, and DEADLINE_EXCEEDED
     */
    public <T> T stub(Class<T> service, CallOptions options) {
        return stub(ServiceDescriptor.of(service), options);
    }

    /**
     * Makes a stub of a service that is described by something else than generated code of an interface.
     *
     * @throws RpcException as {@link #stub(Class)}, and DEADLINE_EXCEEDED
     */
    public <T> T stub(ServiceDescriptor<T> service, CallOptions options) {
        return service.stub(channel(service, options));
    }

    private RpcChannel channel(ServiceDescriptor<?> descriptor, CallOptions options) {
        AttemptChannel once = AttemptService.way(descriptor, core.channel(descriptor, options));
        RpcChannel way = retries == null ? once : retries.around(once, descriptor, options);
        Executor executor = options.callbackExecutor() != null ? options.callbackExecutor() : callbackExecutor;
        return executor == null ? way : new ExecutorChannel(way, executor);
    }

    /** Makes a stub of the generated asynchronous twin of a service. @throws RpcException as {@link #stub(Class)} */
    public <T, A> A asyncStub(Class<T> service, Class<A> twin) {
        return asyncStub(service, twin, CallOptions.DEFAULT);
    }

    /** Makes an asynchronous stub whose calls have these options. @throws RpcException as {@link #stub(Class)} */
    public <T, A> A asyncStub(Class<T> service, Class<A> twin, CallOptions options) {
        ServiceDescriptor<T> descriptor = ServiceDescriptor.of(service);
        if (descriptor.asyncInterface() != twin) {
            throw new IllegalArgumentException("the asynchronous twin of " + service.getName() + " is "
                    + descriptor.asyncInterface().getName() + ", not " + twin.getName());
        }
        return twin.cast(descriptor.asyncStub(channel(descriptor, options)));
    }

    /**
     * Takes the answers that have come and calls the callbacks of calls that have ended, on this thread. Where nothing
     * came it spins or yields once, as the idle strategy says, and never sleeps. A thread that makes calls with
     * callbacks and polls for them itself is answered soonest. Where no thread polls, the client's own does, which
     * sleeps until answers come. Any thread.
     *
     * @return true when something came
     */
    public boolean poll() {
        return core.poll();
    }

    /** Returns the address of the server, or the target of several, as it was given. */
    public String address() {
        return core.address();
    }

    /** Returns true while there is a connection to a server that may get calls. */
    public boolean isConnected() {
        return core.isConnected();
    }

    /** Returns how many calls programs have answered, without the server's CPU. */
    public long offloadedCalls() {
        return core.offloadedCalls();
    }

    /** Returns how each server stands now, in no certain order; of one server, how that one does. */
    public List<ServerStatus> servers() {
        return core.statuses();
    }

    ClientCore core() {
        return (ClientCore) core;
    }

    /** Disconnects: calls in flight fail with UNAVAILABLE, one-way calls have 2 s a session to leave. Idempotent. */
    @Override
    public void close() {
        core.close();
        if (retries != null) {
            retries.close();
        }
    }
}
