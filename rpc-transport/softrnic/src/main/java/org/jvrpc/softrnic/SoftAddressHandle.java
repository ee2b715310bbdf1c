package org.jvrpc.softrnic;

import org.jvrpc.mlx5.AddressVector;
import org.jvrpc.mlx5.Mlx5AddressHandle;
import org.jvrpc.softrnic.datagram.DatagramRoute;
import org.jvrpc.softrnic.datagram.DatagramRoutes;

/**
 * An address handle. In its address vector the GID is the other device's name, and the LID says which of its own
 * device's handles it is. Any thread.
 */
final class SoftAddressHandle {

    private static final int HOPS = 64;

    private final SoftProtectionDomain domain;
    private final DatagramRoutes routes;
    private final DatagramRoute route;
    private final Mlx5AddressHandle driver;

    SoftAddressHandle(SoftProtectionDomain domain, DatagramRoutes routes, DatagramRoute route) {
        this.domain = domain;
        this.routes = routes;
        this.route = route;
        long[] vector = new long[AddressVector.BYTES / 8];
        vector[AddressVector.LID / 8] = route.index();
        vector[AddressVector.GRH / 8] = (long) HOPS << 32 | AddressVector.GRH_PRESENT;
        vector[AddressVector.GID / 8] = route.gidHigh();
        vector[AddressVector.GID / 8 + 1] = route.gidLow();
        this.driver = new Mlx5AddressHandle(vector, this::close);
    }

    Mlx5AddressHandle driver() {
        return driver;
    }

    private void close() {
        routes.remove(route);
        domain.remove(driver);
        route.close();
    }
}
