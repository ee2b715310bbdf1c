package org.jvrpc.softrnic.router;

import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.RouteNote;

/**
 * The way of an address handle, which the router has; WQEs name it by its index. It ends with the router, as the
 * endpoints that it was made of do. Any thread.
 */
final class RouterRoute implements Route {

    private final RouterHost host;
    private final Link router;
    private final RouteNote note;
    private final int index;

    RouterRoute(RouterHost host, Link router, RouteNote note, int index) {
        this.host = host;
        this.router = router;
        this.note = note;
        this.index = index;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public int pd() {
        return note.pd();
    }

    @Override
    public long gidHigh() {
        return RouteNote.GID_HIGH;
    }

    @Override
    public long gidLow() {
        return note.device();
    }

    @Override
    public void close() {
        if (host.now() == router) { // another one knows nothing of it
            host.tryAsk("destroy_ah", id -> new ControlFrame(
                    Command.DESTROY, RouterHost.KIND_ROUTE, id, index, RouterHost.NONE));
        }
    }
}
