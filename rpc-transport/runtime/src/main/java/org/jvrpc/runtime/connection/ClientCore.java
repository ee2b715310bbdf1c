package org.jvrpc.runtime.connection;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.runtime.balance.ServerState;
import org.jvrpc.runtime.balance.ServerStatus;
import org.jvrpc.runtime.client.Callbacks;
import org.jvrpc.runtime.client.ClientEvents;
import org.jvrpc.runtime.client.ClientSession;
import org.jvrpc.runtime.client.SessionOwner;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.graph.ClosedGraphs;
import org.jvrpc.runtime.graph.KryoCodec;
import org.jvrpc.runtime.offload.OffloadConnector;
import org.jvrpc.runtime.route.CallCore;
import org.jvrpc.runtime.route.ServerLink;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.stream.client.StreamClient;
import org.jvrpc.runtime.thread.Deadline;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Retry;
import org.jvrpc.runtime.verbs.ClientDevice;

/**
 * What is behind the front door of a client: the session for new calls, those that drain, and what connects again. Many
 * threads.
 */
public final class ClientCore extends SessionOwner implements CallCore, ServerLink {

    private static final long DRAIN_LOOK_NS = 1_000_000;

    private final List<ClientInterceptor> interceptors;
    private final SessionFactory factory;
    private final Map<List<Class<?>>, ObjectCodec> codecs = new ConcurrentHashMap<>();
    private final DrainingSessions draining;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Retry retry;
    private final Renewal renewal;
    private final OffloadConnector offloads;
    private final StreamClient streams;
    private final Runnable whenLost;
    private volatile ClientSession session;

    private ClientCore(String address, Settings settings, List<ClientInterceptor> interceptors, Runnable whenLost,
            SessionFactory factory) {
        super(address, settings, factory.events());
        this.factory = factory;
        this.whenLost = whenLost;
        this.interceptors = interceptors;
        this.draining = new DrainingSessions(clock());
        this.retry = new Retry(settings.reconnect());
        this.renewal = new Renewal(this, factory, settings);
        this.offloads = factory.newOffloads();
        this.streams = new StreamClient(address, settings, counters());
    }

    /**
     * Connects.
     *
     * @param settings copied
     * @throws RpcException UNAVAILABLE, FAILED_PRECONDITION or RESOURCE_EXHAUSTED
     */
    public static ClientCore connect(String address, Settings settings, List<ClientInterceptor> interceptors) {
        return connect(address, settings, interceptors, () -> { });
    }

    /**
     * As the other. @param whenLost hears that a session takes no new calls; under its lock, must do next to nothing
     */
    public static ClientCore connect(
            String address, Settings settings, List<ClientInterceptor> interceptors, Runnable whenLost) {
        SessionFactory factory = null;
        ClientCore client = null;
        try {
            Settings own = settings.copy();
            own.checkSession();
            factory = new SessionFactory(address, own);
            client = new ClientCore(address, own, List.copyOf(interceptors), whenLost, factory);
            client.session = factory.connect(client, client.events()::start);
            client.events().begin(client.session.link());
        } catch (RuntimeException | Error e) { // an Error: no thread, perhaps
            if (client != null) {
                client.giveUp();
            } else if (factory != null) {
                factory.close();
            }
            if (e instanceof RuntimeException refused) {
                throw ClientDevice.refusal(refused);
            }
            throw e;
        }
        return client;
    }

    /** There is no session, and never was. */
    private void giveUp() {
        events().stop();
        factory.close();
        Endpoint.close(counters());
    }

    @Override
    public ServiceChannel channel(ServiceDescriptor<?> descriptor, CallOptions options) {
        ObjectCodec codec = codecs.computeIfAbsent(descriptor.objectClasses(), key -> codec(descriptor));
        ServiceChannel channel = unopened(descriptor, codec, options);
        channel.open();
        return channel;
    }

    private ObjectCodec codec(ServiceDescriptor<?> descriptor) {
        return settings().objectGraphs() || !ClosedGraphs.areOffAt(address())
                ? new KryoCodec(descriptor.objectClasses()) : new ClosedGraphs(address());
    }

    /** Returns true where calls may show who makes them. */
    boolean mayShowCredentials() {
        return factory.device().isPrivate() || settings().plainCredentials();
    }

    @Override
    public ServiceChannel unopened(ServiceDescriptor<?> service, ObjectCodec objects, CallOptions options) {
        return new ServiceChannel(this, service, objects, options, interceptors);
    }

    @Override
    public boolean isConnected() {
        ClientSession now = session;
        return now != null && now.isUsable();
    }

    @Override
    public List<ServerStatus> statuses() {
        return List.of(new ServerStatus(address(), address(),
                isConnected() ? ServerState.READY : ServerState.CONNECTING, inFlight(), retry.reason()));
    }

    @Override
    public int inFlight() {
        ClientSession now = session;
        return now == null ? 0 : now.attendance().inUse();
    }

    @Override
    public void leave() {
        synchronized (this) {
            if (session != null) {
                session.drain();
                draining.add(session);
                session = null;
            }
        }
        events().wake();
    }

    @Override
    public boolean isDrained() {
        return session == null && draining.isEmpty() && streams.isQuiet();
    }

    @Override
    public long offloadedCalls() {
        return offloads.answered();
    }

    StreamClient streams() {
        return streams;
    }

    public OffloadConnector offloads() {
        return offloads;
    }

    public DrainingSessions draining() {
        return draining;
    }

    @Override
    protected String trouble() {
        return factory.device().trouble();
    }

    /** Returns why there is no connection, for a message. */
    private String explain() {
        if (!settings().reconnect()) {
            return ", and the client does not connect again";
        }
        return retry.reason().isEmpty() ? "" : ": " + retry.reason();
    }

    @Override
    public ClientSession session() {
        return session;
    }

    @Override
    public boolean poll() {
        if (session == null) {
            return false;
        }
        Idler idler = idlerOfThread();
        if (takeAnswers()) {
            idler.busy();
            return true;
        }
        idler.idle(clock().nanoTime()); // yields, but never sleeps: a server on this processor would not get on
        return false;
    }

    @Override
    public boolean takeAnswers() {
        ClientSession now = session;
        if (now == null) {
            return false;
        }
        now.attendance().countPoll();
        boolean due = now.callbacks().areDue();
        boolean came = now.tryPoll(ClientEvents.Where.HERE);
        if (due && !came) {
            now.callbacks().run(); // another thread has the lock, or found nothing more
        }
        return came || due;
    }

    @Override
    protected void callBack() {
        ClientSession now = session;
        if (now != null) {
            now.callbacks().run();
        }
        draining.callBack();
    }

    @Override
    protected void lookAfterDraining() {
        draining.lookAfter(factory);
    }

    @Override
    protected boolean isDraining() {
        return !draining.isEmpty();
    }

    @Override
    protected boolean isDrainUnattended() {
        return draining.hasUnattended();
    }

    @Override
    protected long renew(ClientSession now, long nowNs) {
        return renewal.look(now, nowNs);
    }

    /** Returns the session for a new call, waiting for one until a deadline if asked to. */
    public ClientSession awaitSession(boolean wait, long endNs) {
        ClientSession now = session;
        if (now != null && now.isUsable()) {
            return now;
        }
        Callbacks.leaveCurrent();
        synchronized (this) {
            for (now = session; now == null || !now.isUsable(); now = session) {
                if (closed.get()) {
                    throw RpcException.notRun(Status.UNAVAILABLE, "client is closed, address=" + address()
                            + (factory.device().isLost() ? ": its device is gone" : ""));
                }
                // This thread is the one that connects, if it is the event thread.
                long leftMs = wait && !events().isCurrent() ? Deadline.leftNs(clock(), endNs) / 1_000_000 : 0;
                if (leftMs <= 0) {
                    throw RpcException.notRun(Status.UNAVAILABLE, "no connection to " + address()
                            + explain());
                }
                try {
                    wait(Math.min(leftMs, 1000));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw RpcException.notRun(Status.CANCELLED, "interrupted while waiting for " + address(), e);
                }
            }
            return now;
        }
    }

    @Override
    protected void lost(ClientSession failed) {
        synchronized (this) {
            if (session != failed) {
                return;
            }
            session = null;
            draining.add(failed); // under the lock: whoever closes the client finds it here or there
        }
        if (!closed.get()) {
            log().info("connection to {} is lost", address());
        }
        events().wake();
        whenLost.run();
    }

    /** Has new calls go to another session; false when the one to be replaced is not used any more. Any thread. */
    public boolean replace(ClientSession old, ClientSession fresh) {
        synchronized (this) {
            if (session != old || closed.get()) {
                return false;
            }
            session = fresh;
            old.drain();
            draining.add(old);
        }
        events().wake();
        return true;
    }

    @Override
    protected long repair(ClientSession lost, long nowNs) {
        if (lost != null) {
            lost.end();
        }
        draining.lookAfter(factory);
        if (factory.device().isLost() && !closed.get()) {
            log().warn("device {} is gone: the client of {} closes", factory.device().name(), address());
            close(); // what it holds of the device would keep the device from going
        }
        if (session != null || closed.get()) {
            return 0;
        }
        long waitNs = retry.waitNs(nowNs);
        if (waitNs > 0) {
            return !draining.isEmpty() ? Math.min(waitNs, DRAIN_LOOK_NS) : waitNs;
        }
        try {
            ClientSession fresh = factory.connect(this);
            if (!take(fresh)) { // the client closed meanwhile, and waited for this thread no longer
                factory.bury(fresh);
                return 0;
            }
            retry.succeeded();
            Endpoint.reconnected(counters(), true);
            log().info("connected again to {}", address());
            return 0;
        } catch (RpcException e) {
            retry.failed(e, clock().nanoTime());
            Endpoint.reconnected(counters(), false);
            log().debug("cannot connect to {}: {}", address(), e.getMessage());
            return retry.waitNs(clock().nanoTime());
        }
    }

    /** Has calls go to a session; false when the client is closed. */
    private synchronized boolean take(ClientSession fresh) {
        if (closed.get()) {
            return false;
        }
        session = fresh;
        notifyAll();
        return true;
    }

    /** Disconnects: calls in flight fail with UNAVAILABLE. Idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        streams.close();
        renewal.stop();
        events().stop();
        ClientSession last;
        synchronized (this) {
            last = session;
            session = null;
            notifyAll();
        }
        if (last != null) {
            last.awaitLeft();
            last.end();
            draining.add(last);
        }
        draining.close(factory);
        endAllocating();
        offloads.close();
        factory.close();
        Endpoint.close(counters());
    }
}
