package org.jvrpc.softrnic.roce;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.roce.cm.CmEvent;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.roce.cm.message.Req;
import org.jvrpc.softrnic.roce.socket.RoceAddress;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.VerbsException;

/** A port at which peers connect. Any thread. */
final class RoceListener implements Listener, ManagementPort.Owner {

    private static final byte[] NONE = {};
    private static final int ANY_FIRST = 0xc000;
    private static final int MOST_PORT = 0xffff;

    private final RoceNode node;
    private final Keeper keeper;
    private final EventChannel channel;
    private final String address;
    private final long serviceId;
    private final Queue<RoceRequest> requests = new ConcurrentLinkedQueue<>();
    private boolean closed;

    private RoceListener(RoceNode node, RoceAddress at, int port, Keeper keeper, EventChannel channel) {
        this.node = node;
        this.keeper = keeper;
        this.channel = channel;
        this.address = at.withPort(port);
        this.serviceId = Req.serviceId(port);
    }

    /** Takes over a use of the node. @throws VerbsException when the process listens there already */
    static RoceListener open(RoceNode node, RoceAddress at, Keeper keeper, EventChannel channel) {
        if (at.port() != 0 || at.udp() == 0) {
            int port = at.port() != 0 ? at.port() : node.address().getPort();
            RoceListener listener = new RoceListener(node, at, port, keeper, channel);
            if (!listener.begin()) {
                throw new VerbsException("listen", at.text() + " is in use by a listener of this process");
            }
            return listener;
        }
        for (int port = ANY_FIRST; port <= MOST_PORT; port++) {
            RoceListener listener = new RoceListener(node, at, port, keeper, channel);
            if (listener.begin()) {
                return listener;
            }
        }
        throw new VerbsException("listen", at.text() + ": all ports from " + ANY_FIRST + " are in use");
    }

    private boolean begin() {
        return node.management().listen(serviceId, this);
    }

    @Override
    public void event(CmEvent event) {
        if (event.kind() != CmEvent.Kind.REQUESTED) {
            return; // of one that was refused here
        }
        if (RoceEndpoint.mtu(event.request().pathMtu()) > node.mtu()) {
            node.management().reject(event.connection(), RejectReason.INVALID_MTU, NONE); // the peer asks for less
            return;
        }
        RoceRequest request = new RoceRequest(node, keeper, event.connection(), event.request(), channel,
                requests::remove);
        event.connection().attach(request);
        try {
            keeper.keep(request);
        } catch (VerbsException e) {
            return; // the device closes, and has dropped it
        }
        synchronized (this) {
            if (!closed) {
                requests.add(request);
                channel.wakeup();
                return;
            }
        }
        request.drop();
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public ConnectionRequest poll() {
        RoceRequest next = requests.poll();
        while (next != null && next.isOver()) {
            next = requests.poll();
        }
        return next;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        keeper.forget(this);
        node.management().unlisten(serviceId);
        // Nobody listens to them any more, which is what they are told: a rejection would be an answer.
        for (RoceRequest request = requests.poll(); request != null; request = requests.poll()) {
            request.drop();
        }
        SharedNodes.leave(node);
    }
}
