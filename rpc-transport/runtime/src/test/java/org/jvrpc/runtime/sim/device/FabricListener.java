package org.jvrpc.runtime.sim.device;

import org.jvrpc.fabric.host.ManagementPort;
import org.jvrpc.roce.cm.CmEvent;
import org.jvrpc.roce.cm.CmPeer;
import org.jvrpc.roce.cm.message.Req;

/** Where the connection manager of a host in a fabric leaves requests for a simulated process. */
final class FabricListener implements ManagementPort.Owner {

    private final FabricNetwork fabric;
    private final SimListener listener;
    private final FabricHost host;
    private final int port;

    FabricListener(FabricNetwork fabric, SimListener listener, FabricHost host, int port) {
        this.fabric = fabric;
        this.listener = listener;
        this.host = host;
        this.port = port;
    }

    long serviceId() {
        return Req.serviceId(port);
    }

    /** Returns where requests are sent to. */
    CmPeer peer() {
        return host.peer();
    }

    /** Requests are taken from now on: nothing is sent for it, so it needs no step. */
    void begin() {
        host.management().listen(serviceId(), this);
    }

    /** Requests are refused from now on. */
    void end() {
        host.management().unlisten(serviceId());
    }

    @Override
    public void event(CmEvent event) {
        if (event.kind() == CmEvent.Kind.REQUESTED) {
            FabricRequest request = new FabricRequest(fabric, host, event.connection(), event.request());
            event.connection().attach(request);
            listener.add(request);
        }
    }
}
