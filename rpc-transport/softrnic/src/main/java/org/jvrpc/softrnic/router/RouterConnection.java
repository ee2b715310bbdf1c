package org.jvrpc.softrnic.router;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.softrnic.router.wire.Offer;
import org.jvrpc.softrnic.shm.ShmChannel;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.QueuePair;

/** Two QPs that a router connected. It tells of the peer's end, and of its own. Any thread. */
final class RouterConnection implements Connection {

    private final RouterPort port;
    private final ShmChannel channel;
    private final byte[] privateData;
    private final InetAddress peer;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean connected = true;

    /** @param peer what the router says of the other end, and what that sent along */
    RouterConnection(RouterPort port, ShmChannel channel, Offer peer) {
        this.port = port;
        this.channel = channel;
        this.privateData = peer.privateData();
        this.peer = RouterAddress.inet(peer.address(), peer.address());
    }

    /** The peer disconnected, or is gone; takes no lock. */
    void ended() {
        connected = false;
        channel.wakeup();
    }

    @Override
    public QueuePair qp() {
        return port.qp().driver();
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public InetAddress peerHost() {
        return peer;
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            port.host().device().forget(this);
            connected = false;
            port.qp().driver().close();
        }
    }
}
