package org.jvrpc.softrnic.datagram;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.verbs.VerbsException;

/** The ways of one device's address handles, and what could not be delivered to anybody. Any thread. */
public final class DatagramRoutes {

    private final AtomicLong undeliverable = new AtomicLong();
    private final RouteTable<DatagramRoute> routes = new RouteTable<>();

    /**
     * Makes a route; see {@link DatagramRoute} for the arguments.
     *
     * @throws VerbsException when there are too many, or the device is not there
     */
    public DatagramRoute open(int pd, String name, AddressSpace arena, Supplier<Runnable> waker) {
        return routes.add(index -> new DatagramRoute(this, pd, name, arena, waker, index));
    }

    public void remove(DatagramRoute route) {
        routes.remove(route);
    }

    /** Returns the route of an index when it has the GID, else null. */
    DatagramRoute find(int index, long gidHigh, long gidLow) {
        return routes.find(index, gidHigh, gidLow);
    }

    /** Counts a message to a QP that is not there. */
    void drop() {
        undeliverable.incrementAndGet();
    }

    /** Returns how many messages went to QPs that were not there, or not ready. */
    public long undeliverable() {
        return undeliverable.get();
    }
}
