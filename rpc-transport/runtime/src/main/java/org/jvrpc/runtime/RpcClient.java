package org.jvrpc.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of one server. Stubs made by it may be used by many threads. When the server dies, calls in flight fail with
 * {@link Status#UNAVAILABLE}, later ones do so at once until the server is back: the client connects again by itself.
 *
 * <p>A call has one deadline for all that it waits for. A thread that is interrupted while it waits gets an
 * {@link RpcException} with {@link Status#CANCELLED} and stays interrupted; the server is told. What depends on a
 * future runs on whichever thread polled the answer, so it must not block: where it would, use the {@code …Async}
 * methods.
 */
public final class RpcClient implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RpcClient.class);

    private static final long DRAIN_LOOK_NS = 1_000_000;
    /** What is refused where this host has no device for an address, or none of its libraries or modules. */
    private static final Set<String> NO_DEVICE = Set.of("open_device", "load", "get_device_list", "create_id");

    private final String address;
    private final Settings settings;
    private final List<ClientInterceptor> interceptors;
    private final ClientPort port;
    private final ClientEvents events;
    private final ThreadLocal<Idler> idlers;
    private final Map<Class<?>, ObjectCodec> codecs = new ConcurrentHashMap<>();
    private final DrainingSessions draining = new DrainingSessions();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Reconnect reconnect;
    private final Renewal renewal;
    private final OffloadConnector offloads;
    private volatile ClientSession session;

    private RpcClient(Builder builder) {
        this.address = builder.address;
        this.settings = builder.settings.copy();
        settings.checkSession();
        this.interceptors = List.copyOf(builder.interceptors);
        this.idlers = ThreadLocal.withInitial(() -> Idler.ofCaller(settings.idle()));
        this.reconnect = new Reconnect(settings.reconnect());
        this.port = new ClientPort(address, settings);
        this.renewal = new Renewal(this, port, settings);
        this.offloads = new OffloadConnector(this, port);
        this.events = new ClientEvents(this, port.channel(), address.substring(address.indexOf("://") + 3));
    }

    /** Connects with the default settings. @throws RpcException UNAVAILABLE when there is no server */
    public static RpcClient connect(String address) {
        return builder(address).connect();
    }

    /** Begins a client for {@code scheme://name}. */
    public static Builder builder(String address) {
        return new Builder(address);
    }

    /** What a client is made with. One thread. */
    public static final class Builder {

        private final String address;
        private final Settings settings = new Settings();
        private final List<ClientInterceptor> interceptors = new ArrayList<>();

        private Builder(String address) {
            this.address = address;
        }

        /** Sets how many calls may be in flight, 1 to 4096, default 64. */
        public Builder slots(int slots) {
            settings.slots(slots);
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

        /** Sets how long a program may take before an ordinary call is made; default 20 us. */
        public Builder offloadWait(Duration wait) {
            settings.offloadWait(wait);
            return this;
        }

        /** Adds an interceptor; the first added is the outermost. */
        public Builder intercept(ClientInterceptor interceptor) {
            interceptors.add(interceptor);
            return this;
        }

        /**
         * Connects.
         *
         * @throws RpcException UNAVAILABLE when there is no server, or this host has no device for the address,
         *     FAILED_PRECONDITION when it refuses,
         *     RESOURCE_EXHAUSTED when one of the two sides has no memory for a session
         * @throws IllegalArgumentException when the address is not one, or slots × slotBytes is more than 64 MiB
         */
        public RpcClient connect() {
            RpcClient client = null;
            try {
                client = new RpcClient(this);
                client.session = client.port.connect(client);
            } catch (RuntimeException e) {
                if (client != null) {
                    client.port.close();
                }
                throw refusal(e);
            }
            client.events.start();
            return client;
        }
    }

    private static RuntimeException refusal(RuntimeException e) {
        if (e instanceof ConnectionException refused) {
            return switch (refused.reason()) {
                case REJECTED -> Hello.refused(refused);
                case VERSION -> new RpcException(Status.FAILED_PRECONDITION, e.getMessage(), e);
                default -> new RpcException(Status.UNAVAILABLE, e.getMessage(), e);
            };
        }
        if (e instanceof VerbsException refused) {
            return new RpcException(NO_DEVICE.contains(refused.operation())
                    ? Status.UNAVAILABLE : Status.RESOURCE_EXHAUSTED, e.getMessage(), e);
        }
        return e;
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

    /** Makes a stub whose calls have these options. @throws RpcException as {@link #stub(Class)} */
    public <T> T stub(Class<T> service, CallOptions options) {
        ServiceDescriptor<T> descriptor = ServiceDescriptor.of(service);
        return descriptor.stub(channel(service, descriptor, options));
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
        return twin.cast(descriptor.asyncStub(channel(service, descriptor, options)));
    }

    private ServiceChannel channel(Class<?> service, ServiceDescriptor<?> descriptor, CallOptions options) {
        ObjectCodec codec = codecs.computeIfAbsent(service, key -> new KryoCodec(descriptor.objectClasses()));
        ServiceChannel channel = new ServiceChannel(this, descriptor, codec, options, interceptors);
        channel.open();
        return channel;
    }

    /** Returns the address of the server. */
    public String address() {
        return address;
    }

    /** Returns true while there is a connection. */
    public boolean isConnected() {
        ClientSession now = session;
        return now != null && now.isUsable();
    }

    /** Returns how many calls programs have answered, without the server's CPU. */
    public long offloadedCalls() {
        return offloads.answered();
    }

    OffloadConnector offloads() {
        return offloads;
    }

    Settings settings() {
        return settings;
    }

    Renewal renewal() {
        return renewal;
    }

    DrainingSessions draining() {
        return draining;
    }

    ClientEvents events() {
        return events;
    }

    Logger log() {
        return LOG;
    }

    Idler idlerOfThread() {
        return idlers.get();
    }

    /** Returns what is wrong with the device, for a message; empty when nothing is known. */
    String trouble() {
        String trouble = port.device().trouble();
        return trouble == null ? "" : "; " + trouble;
    }

    /** Returns the session for new calls, or null. */
    ClientSession session() {
        return session;
    }

    /** Looks after the sessions that take no new calls. Event thread. */
    void lookAfterDraining() {
        draining.lookAfter(port);
    }

    /** Returns the session for a new call, waiting for one until a deadline if asked to. */
    ClientSession awaitSession(boolean wait, long endNs) {
        ClientSession now = session;
        if (now != null && now.isUsable()) {
            return now;
        }
        synchronized (this) {
            for (now = session; now == null || !now.isUsable(); now = session) {
                if (closed.get()) {
                    throw new RpcException(Status.UNAVAILABLE, "client is closed, address=" + address
                            + (port.device().isLost() ? ": its device is gone" : ""));
                }
                long leftMs = Deadline.leftNs(endNs) / 1_000_000;
                if (!wait || leftMs <= 0) {
                    throw new RpcException(Status.UNAVAILABLE, "no connection to " + address
                            + reconnect.explain());
                }
                try {
                    wait(Math.min(leftMs, 1000));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new RpcException(Status.CANCELLED, "interrupted while waiting for " + address, e);
                }
            }
            return now;
        }
    }

    /** The session failed; called under its lock. */
    void lost(ClientSession failed) {
        synchronized (this) {
            if (session != failed) {
                return;
            }
            session = null;
        }
        draining.add(failed);
        if (!closed.get()) {
            LOG.info("connection to {} is lost", address);
        }
        events.wake();
    }

    /** The server takes no more calls of the session; those in flight go on. */
    void goAway(ClientSession leaving) {
        lost(leaving);
    }

    /** Has new calls go to another session; false when the one to be replaced is not used any more. Any thread. */
    boolean replace(ClientSession old, ClientSession fresh) {
        synchronized (this) {
            if (session != old || closed.get()) {
                return false;
            }
            session = fresh;
        }
        old.drain();
        draining.add(old);
        events.wake();
        return true;
    }

    /**
     * Deals with a session that is lost, and connects again when it is time to. Event thread.
     *
     * @return how long to wait before the next look, in nanoseconds
     */
    long repair(ClientSession lost, long nowNs) {
        if (lost != null) {
            lost.end();
        }
        draining.lookAfter(port);
        if (port.device().isLost() && !closed.get()) {
            LOG.warn("device {} is gone: the client of {} closes", port.device().name(), address);
            close(); // what it holds of the device would keep the device from going
        }
        if (session != null || closed.get()) {
            return 0;
        }
        long waitNs = reconnect.waitNs(nowNs);
        if (waitNs > 0) {
            return !draining.isEmpty() ? Math.min(waitNs, DRAIN_LOOK_NS) : waitNs;
        }
        try {
            ClientSession fresh = port.connect(this);
            synchronized (this) {
                session = fresh;
                notifyAll();
            }
            reconnect.succeeded();
            LOG.info("connected again to {}", address);
            return 0;
        } catch (VerbsException e) {
            reconnect.failed(e, System.nanoTime());
            LOG.debug("cannot connect to {}: {}", address, e.getMessage());
            return reconnect.waitNs(System.nanoTime());
        }
    }

    /** Disconnects: calls in flight fail with UNAVAILABLE. Idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        offloads.stop();
        renewal.stop();
        events.stop();
        ClientSession last;
        synchronized (this) {
            last = session;
            session = null;
            notifyAll();
        }
        if (last != null) {
            last.end();
            draining.add(last);
        }
        draining.close(port);
        port.close();
    }
}
