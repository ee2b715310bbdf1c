package org.jvrpc.softrnic.roce;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.roce.cm.CmConnection;
import org.jvrpc.roce.cm.CmEvent;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.QueuePair;

/** A connection: the QP, and what the connection manager hears of the peer. Any thread. */
final class RoceConnection implements Connection, ManagementPort.Owner {

    private final RoceNode node;
    private final Keeper keeper;
    private final RocePort port;
    private final CmConnection connection;
    private final byte[] privateData;
    private final EventChannel channel;
    private final InetAddress peerHost;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Whoever listens is told when the peer is proven; null where it is. */
    private final EventChannel listener;
    private volatile boolean connected = true;
    private volatile boolean established;

    RoceConnection(RoceNode node, Keeper keeper, RocePort port, CmConnection connection, byte[] privateData,
            EventChannel channel, EventChannel listener) {
        this.listener = listener;
        this.established = listener == null;
        this.node = node;
        this.keeper = keeper;
        this.port = port;
        this.connection = connection;
        this.privateData = privateData;
        this.channel = channel;
        this.peerHost = node.near(ManagementPort.addressOf(connection.peer())).getAddress();
    }

    @Override
    public void event(CmEvent event) {
        switch (event.kind()) {
            case ESTABLISHED -> {
                port.begin();
                if (!established) {
                    established = true;
                    if (connected) {
                        listener.wakeup();
                    }
                }
            }
            case ENDED -> {
                if (connected) {
                    port.fail(); // before: whoever sees that it has ended finds the QP in ERR
                    connected = false;
                    channel.wakeup();
                    if (!established) {
                        listener.wakeup();
                    }
                }
            }
            default -> { }
        }
    }

    @Override
    public QueuePair qp() {
        return port.qp();
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public InetAddress peerHost() {
        return peerHost;
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public boolean isEstablished() {
        return established;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            keeper.forget(this);
            connected = false;
            port.finish();
            node.management().disconnect(connection);
            port.qp().close();
        }
    }
}
