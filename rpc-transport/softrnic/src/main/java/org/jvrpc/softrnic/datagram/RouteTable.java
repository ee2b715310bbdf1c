package org.jvrpc.softrnic.datagram;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jvrpc.verbs.VerbsException;

/** The ways of one device's address handles. Any thread. */
public final class RouteTable<R extends Route> {

    /** As many as a LID tells apart; 0 is none. */
    private static final int LIMIT = 1 << 16;
    private static final VarHandle ROUTE = MethodHandles.arrayElementVarHandle(Route[].class);

    private volatile Route[] routes = new Route[16];
    private int next = 1;

    /**
     * Adds a route, which is made for its index.
     *
     * @throws VerbsException when there are too many
     */
    public synchronized R add(IntFunction<R> maker) {
        for (int n = 1; n < LIMIT; n++) {
            int index = next;
            next = index + 1 == LIMIT ? 1 : index + 1;
            if (index == routes.length) {
                routes = Arrays.copyOf(routes, 2 * index);
            }
            if (routes[index] == null) {
                R route = maker.apply(index);
                ROUTE.setRelease(routes, index, route);
                return route;
            }
        }
        throw new VerbsException("create_ah", "too many address handles on a device, limit=" + (LIMIT - 1));
    }

    /** Removes a route that is there; its index rests before another has it. */
    public synchronized void remove(R route) {
        ROUTE.compareAndSet(routes, route.index(), route, null);
    }

    /** Returns the route of an index, or null. */
    @SuppressWarnings("unchecked") // none but R was added
    public R at(int index) {
        Route[] known = routes;
        return index > 0 && index < known.length ? (R) ROUTE.getAcquire(known, index) : null;
    }

    /** Returns the route of an index when it has the GID, else null. */
    @SuppressWarnings("unchecked") // none but R was added
    public R find(int index, long gidHigh, long gidLow) {
        Route[] known = routes;
        Route route = index < known.length ? (Route) ROUTE.getAcquire(known, index) : null;
        return route != null && route.gidHigh() == gidHigh && route.gidLow() == gidLow ? (R) route : null;
    }
}
