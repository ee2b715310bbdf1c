package org.jvrpc.runtime.sim.device;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Listener;

/** A name at which simulated processes connect. */
final class SimListener implements Listener {

    /** Who wants to connect. */
    interface Request extends ConnectionRequest {

        /** The listener is gone. */
        void drop();
    }

    private final SimDevice device;
    private final String address;
    private final SimChannel channel;
    private final Queue<Request> requests = new ArrayDeque<>();

    SimListener(SimDevice device, String address, SimChannel channel) {
        this.device = device;
        this.address = address;
        this.channel = channel;
    }

    void add(Request request) {
        requests.add(request);
        channel.wakeup();
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public ConnectionRequest poll() {
        return requests.poll();
    }

    @Override
    public void close() {
        Network.of(device.process().world()).unlisten(this);
        device.gone(this);
        requests.forEach(Request::drop);
        requests.clear();
    }

    @Override
    public String toString() {
        return "listener of " + address;
    }
}
