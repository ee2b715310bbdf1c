package org.jvrpc.softrnic.datagram;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.verbs.VerbsException;

/** The ways of one device's address handles, and what could not be delivered to anybody. Any thread. */
public final class DatagramRoutes {

    /** As many as a LID tells apart; 0 is none. */
    private static final int LIMIT = 1 << 16;
    private static final VarHandle ROUTE = MethodHandles.arrayElementVarHandle(DatagramRoute[].class);

    private final AtomicLong undeliverable = new AtomicLong();
    private volatile DatagramRoute[] routes = new DatagramRoute[16];
    private int next = 1;

    /**
     * Makes a route; see {@link DatagramRoute} for the arguments.
     *
     * @throws VerbsException when there are too many, or the device is not there
     */
    public synchronized DatagramRoute open(int pd, String name, AddressSpace arena, Supplier<Runnable> waker) {
        for (int n = 1; n < LIMIT; n++) {
            int index = next;
            next = index + 1 == LIMIT ? 1 : index + 1;
            if (index == routes.length) {
                routes = Arrays.copyOf(routes, 2 * index);
            }
            if (routes[index] == null) {
                DatagramRoute route = new DatagramRoute(pd, name, arena, waker, index);
                ROUTE.setRelease(routes, index, route);
                return route;
            }
        }
        throw new VerbsException("create_ah", "too many address handles on a device, limit=" + (LIMIT - 1));
    }

    public synchronized void remove(DatagramRoute route) {
        ROUTE.setRelease(routes, route.index(), null);
    }

    /** Returns the route of an index when it has the GID, else null. */
    DatagramRoute find(int index, long gidHigh, long gidLow) {
        DatagramRoute[] known = routes;
        DatagramRoute route = index < known.length ? (DatagramRoute) ROUTE.getAcquire(known, index) : null;
        return route != null && route.gidHigh() == gidHigh && route.gidLow() == gidLow ? route : null;
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
