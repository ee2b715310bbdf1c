package org.jvrpc.softrnic.router;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.ListenNote;
import org.jvrpc.softrnic.router.wire.Offer;
import org.jvrpc.softrnic.shm.ShmChannel;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Listener;

/** A port of a virtual address at which peers connect. It outlives its router. Any thread. */
final class RouterListener implements Listener {

    private final RouterHost host;
    private final RouterAddress at;
    private final int number;
    private final ShmChannel channel;
    private final Queue<RouterRequest> requests = new ConcurrentLinkedQueue<>();
    /** Guarded by this. */
    private boolean closed;

    RouterListener(RouterHost host, RouterAddress at, int number, ShmChannel channel) {
        this.host = host;
        this.at = at;
        this.number = number;
        this.channel = channel;
    }

    int number() {
        return number;
    }

    ListenNote note() {
        return new ListenNote(number, at.address(), at.port());
    }

    /** Somebody wants to connect. The reader's thread. */
    void offer(Link router, Offer offer) {
        RouterRequest request = new RouterRequest(host, router, offer, channel);
        synchronized (this) {
            if (!closed) {
                requests.add(request);
                channel.wakeup();
                return;
            }
        }
        request.drop();
    }

    /** The router is gone, and with it those who wanted to connect. */
    void drop() {
        requests.clear();
    }

    @Override
    public String address() {
        return at.text();
    }

    @Override
    public ConnectionRequest poll() {
        return requests.poll();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        host.forget(this);
        requests.forEach(RouterRequest::drop); // nobody listens to them any more: a rejection would be an answer
        requests.clear();
        host.tryAsk("unlisten", id -> ControlFrame.of(Command.UNLISTEN, id, number));
    }
}
