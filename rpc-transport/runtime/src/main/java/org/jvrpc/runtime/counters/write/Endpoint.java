package org.jvrpc.runtime.counters.write;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.counters.CounterLayout;
import org.jvrpc.runtime.counters.CounterMemory;

/** Where a client or a server counts. Any thread. */
public final class Endpoint extends Block implements AutoCloseable {

    private static final int CLIENT = 1;
    private static final int SERVER = 2;

    private final CounterStore store;
    private final int period;
    private final List<Lane> lanes = new ArrayList<>();
    private final Deque<Lane> spare = new ArrayDeque<>();
    /** Of calls that were never sent. */
    private final Lane unsent = new Lane(this, -1, 0);
    private boolean closed;

    private Endpoint(CounterStore store, int role, String address) {
        super(store, CounterLayout.ENDPOINT, CounterLayout.ENDPOINT_BYTES, 0, 0);
        this.store = store;
        this.period = address.matches("(shm|inproc|router)://.*") ? CounterLayout.SAMPLED_OF : 1;
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

    /** Makes that of a client. */
    public static Endpoint ofClient(String address) {
        return new Endpoint(CounterStore.own(), CLIENT, address);
    }

    /** Makes that of a server. */
    public static Endpoint ofServer(String address) {
        return new Endpoint(CounterStore.own(), SERVER, address);
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
        long number = addShared(CounterLayout.SESSIONS_OPENED, 1);
        return new SessionBlock(store, owner(), id == 0 ? number : id);
    }

    /** A call failed that was never sent, or of no session. */
    public synchronized void unsent(String service, String method, Status status) {
        if (!closed) {
            unsent.method(service, method).failed(status);
        }
    }

    /** A session took the place of one that was lost. */
    public void reconnected() {
        addShared(CounterLayout.RECONNECTS, 1);
    }

    public void connectFailed() {
        addShared(CounterLayout.CONNECTS_FAILED, 1);
    }

    public void waits() {
        addShared(CounterLayout.ENDPOINT_WAITS, 1);
    }

    public void sleeps() {
        addShared(CounterLayout.ENDPOINT_SLEEPS, 1);
    }

    /** The endpoint is gone, and its sessions before it: nobody counts any more. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            lanes.forEach(Lane::free);
            unsent.free();
            free();
        }
    }
}
