package org.jvrpc.runtime.counters.write;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.runtime.counters.CounterLayout;
import org.jvrpc.runtime.counters.CounterMemory;

/** Where a client or a server counts. Any thread. */
public final class Endpoint extends Block implements AutoCloseable {

    /** The method of calls of which none is known. */
    public static final String OTHER = "_OTHER";

    private static final int CLIENT = 1;
    private static final int SERVER = 2;

    private final CounterStore store;
    private final int period;
    private final List<Lane> lanes = new ArrayList<>();
    private final Deque<Lane> spare = new ArrayDeque<>();
    /** Of calls that any thread counts. */
    private final Lane shared = new Lane(this, CounterLayout.NO_LANE, 0);
    private boolean closed;

    /** @param period of how many calls one is timed; 0 for none */
    private Endpoint(CounterStore store, int role, String address, int period) {
        super(store, CounterLayout.ENDPOINT, CounterLayout.ENDPOINT_BYTES, store.nextEndpoint(), 0);
        this.store = store;
        this.period = period;
        CounterMemory.setInt(memory, at + CounterLayout.ROLE, role);
        text(CounterLayout.ADDRESS, CounterLayout.ADDRESS_BYTES, address);
        publish();
    }

    /** Closes one, or none where that is null. */
    public static void close(Endpoint endpoint) {
        if (endpoint != null) {
            endpoint.close();
        }
    }

    private static int periodOf(String address) {
        return address.matches("(shm|inproc|router)://.*") ? CounterLayout.SAMPLED_OF : 1;
    }

    /** Makes that of a client. */
    public static Endpoint ofClient(String address) {
        return ofClient(address, CounterStore.own());
    }

    static Endpoint ofClient(String address, CounterStore store) {
        return new Endpoint(store, CLIENT, address, periodOf(address));
    }

    /** Makes that of a server. */
    public static Endpoint ofServer(String address) {
        return ofServer(address, CounterStore.own());
    }

    static Endpoint ofServer(String address, CounterStore store) {
        return new Endpoint(store, SERVER, address, periodOf(address));
    }

    /** Makes that of a client or a server of messages, for {@link FrameCounters}. */
    public static Endpoint ofMessages(boolean server, String address) {
        return new Endpoint(CounterStore.own(), server ? SERVER : CLIENT, address, 0);
    }

    /** Returns a lane that nobody writes; what it has counted stays. */
    public synchronized Lane takeLane() {
        if (!spare.isEmpty()) {
            return spare.pop();
        }
        Lane lane = new Lane(this, lanes.size(), period);
        lanes.add(lane);
        return lane;
    }

    /** Gives a lane back that nobody writes any more. */
    synchronized void giveLane(Lane lane) {
        spare.push(lane);
    }

    MethodBlock block(int lane, String service, String method, int timedOf) {
        return new MethodBlock(store, owner(), lane, service, method, timedOf);
    }

    /**
     * Makes the block of a session, which is still to begin.
     *
     * @param id its number; 0 for the next one of this endpoint
     */
    public SessionBlock session(long id) {
        return session(id, null);
    }

    /** As {@link #session(long)}. @param lane whose methods count for it, null where it counts itself */
    SessionBlock session(long id, Lane lane) {
        long number = addShared(CounterLayout.SESSIONS_OPENED, 1);
        return new SessionBlock(store, owner(), id == 0 ? number : id, lane);
    }

    /**
     * A call ended that no lane counts: it was never sent, or has streams.
     *
     * @param endpoint null where nothing is counted
     * @param method null where it is not known
     */
    public static void ended(Endpoint endpoint, MethodDescriptor method, Status status) {
        if (endpoint != null) {
            endpoint.shared(method, block -> block.failed(status)); // OK has its place among them
        }
    }

    /** As {@link #ended}, with a declared exception. */
    public static void thrown(Endpoint endpoint, MethodDescriptor method) {
        if (endpoint != null) {
            endpoint.shared(method, MethodBlock::thrown);
        }
    }

    private synchronized void shared(MethodDescriptor method, Consumer<MethodBlock> count) {
        if (!closed) {
            count.accept(method == null ? shared.method("", OTHER) : shared.method(method.service(), method.name()));
        }
    }

    /** A program answered a call. */
    public void offloaded() {
        addShared(CounterLayout.OFFLOADED, 1);
    }

    /** So many heavy calls wait for the executor now. */
    public synchronized void queued(int calls) {
        if (!closed) {
            set(CounterLayout.QUEUED, calls);
        }
    }

    /** A session took the place of one that was lost, or could not. @param endpoint null where nothing is counted */
    public static void reconnected(Endpoint endpoint, boolean succeeded) {
        if (endpoint != null) {
            endpoint.addShared(succeeded ? CounterLayout.RECONNECTS : CounterLayout.CONNECTS_FAILED, 1);
        }
    }

    /** A call of a client waits. */
    public void waits() {
        addShared(CounterLayout.ENDPOINT_WAITS, 1);
    }

    /** A thread goes to sleep. */
    public void sleeps() {
        addShared(CounterLayout.ENDPOINT_SLEEPS, 1);
    }

    /** The endpoint is gone, and its sessions before it: nobody counts any more. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            lanes.forEach(Lane::free);
            shared.free();
            free();
        }
    }
}
