package org.jvrpc.softrnic;

import org.jvrpc.mlx5.AddressVector;
import org.jvrpc.mlx5.Mlx5AddressHandle;
import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.verbs.ServiceClass;

/**
 * An address handle. In its address vector the GID is that of the other device, and the LID says which of its own
 * device's handles it is. Any thread.
 */
final class SoftAddressHandle {

    private static final int HOPS = 64;

    private final SoftProtectionDomain domain;
    private final Route route;
    private final Mlx5AddressHandle driver;

    SoftAddressHandle(SoftProtectionDomain domain, Route route, ServiceClass service) {
        this.domain = domain;
        this.route = route;
        long[] vector = new long[AddressVector.BYTES / 8];
        vector[AddressVector.LID / 8] = (long) service.level() << 24 | route.index();
        vector[AddressVector.GRH / 8] = (long) (service.trafficClass() << 8 | HOPS) << 32 | AddressVector.GRH_PRESENT;
        vector[AddressVector.GID / 8] = route.gidHigh();
        vector[AddressVector.GID / 8 + 1] = route.gidLow();
        this.driver = new Mlx5AddressHandle(vector, this::close);
    }

    Mlx5AddressHandle driver() {
        return driver;
    }

    private void close() {
        route.close();
        domain.remove(driver);
    }
}
