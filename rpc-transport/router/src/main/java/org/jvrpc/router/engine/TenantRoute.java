package org.jvrpc.router.engine;

import org.jvrpc.softrnic.datagram.DatagramTarget;
import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.router.wire.RouteNote;

/** The way of a tenant's address handle to a device, which it may send to. The worker's thread. */
final class TenantRoute implements Route {

    private final TenantDevice from;
    private final TenantDevice to;
    private final int number;
    private final int pd;
    private final int index;

    /** @param number of the device that it leads to, as its owner knows it */
    TenantRoute(TenantDevice from, TenantDevice to, int number, int pd, int index) {
        this.from = from;
        this.to = to;
        this.number = number;
        this.pd = pd;
        this.index = index;
    }

    TenantDevice device() {
        return to;
    }

    /** Returns a QP of the device that takes datagrams; null for none. */
    DatagramTarget target(int qpn) {
        return to.target(qpn); // one that has ended has none
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public int pd() {
        return pd;
    }

    @Override
    public long gidHigh() {
        return RouteNote.GID_HIGH;
    }

    @Override
    public long gidLow() {
        return number;
    }

    @Override
    public void close() {
        from.routes().remove(this);
    }
}
