package org.jvrpc.softrnic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection: the QP, and the socket that tells of the peer's life. Any thread. */
final class ShmConnection implements Connection, ShmChannel.Handler {

    private static final Logger LOG = LoggerFactory.getLogger(ShmConnection.class);

    private final SoftDevice device;
    private final SoftQueuePair qp;
    private final SocketChannel socket;
    private final ShmChannel channel;
    private final byte[] peerEndpoint;
    private final byte[] privateData;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(64);
    private final ByteBuffer wake = ByteBuffer.allocateDirect(1).put(0, CmFrame.WAKE);
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean connected = true;

    private ShmConnection(
            SoftDevice device, SoftQueuePair qp, SocketChannel socket, ShmChannel channel, CmFrame peer) {
        this.device = device;
        this.qp = qp;
        this.socket = socket;
        this.channel = channel;
        this.peerEndpoint = peer.endpoint();
        this.privateData = peer.privateData();
    }

    /** Connects the QP to the peer of the frame and begins to watch the socket, which is non-blocking. */
    static ShmConnection establish(
            SoftDevice device, SoftQueuePair qp, SocketChannel socket, ShmChannel channel, CmFrame peer)
            throws IOException {
        ShmConnection connection = new ShmConnection(device, qp, socket, channel, peer);
        qp.driver().connect(peer.endpoint());
        qp.notifyBy(connection::notifyPeer);
        return connection;
    }

    /** Begins to watch the socket. */
    void watch() throws IOException {
        channel.register(socket, SelectionKey.OP_READ, this);
    }

    /** Returns the control path of a QP that is to be connected. @throws VerbsException when that cannot be */
    static SoftQueuePair controlOf(QueuePair qp) {
        if (!(qp instanceof Mlx5QueuePair driver && driver.control() instanceof SoftQueuePair control)) {
            throw new VerbsException("connect", "the QP is of another device: " + qp);
        }
        if (control.isDatagram()) {
            throw new VerbsException("connect", "a datagram QP has no peer to connect to: qp number=" + qp.number());
        }
        if (control.state() != QueuePairState.INIT) {
            throw new VerbsException("connect", "qp number=" + qp.number() + " state=" + control.state()
                    + " expected=" + QueuePairState.INIT);
        }
        return control;
    }

    private void notifyPeer() {
        try {
            synchronized (wake) {
                socket.write(wake.clear());
            }
        } catch (IOException e) {
            LOG.debug("peer of qp={} is gone: {}", qp.driver().number(), e.toString());
        }
    }

    @Override
    public boolean ready() {
        try {
            int count = socket.read(incoming.clear());
            for (int i = 0; i < count; i++) {
                if (incoming.get(i) == CmFrame.BYE) {
                    lost(false);
                    return true;
                }
            }
            if (count < 0) {
                lost(true);
            }
        } catch (IOException e) {
            lost(true);
        }
        return true;
    }

    private void lost(boolean died) {
        closeSocket();
        if (connected) {
            connected = false;
            if (died) {
                qp.peerDied();
                String name = StandardCharsets.US_ASCII.decode(
                        ByteBuffer.wrap(peerEndpoint, 8, peerEndpoint.length - 8)).toString();
                if (SoftDevice.ofName(name) == null) {
                    channel.sweepLater(device.folder().resolveSibling(name));
                }
            } else {
                qp.error();
            }
        }
    }

    private void closeSocket() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a socket: {}", e.toString());
        }
    }

    @Override
    public QueuePair qp() {
        return qp.driver();
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        device.forget(this);
        if (connected) {
            connected = false;
            try {
                socket.write(ByteBuffer.wrap(new byte[] {CmFrame.BYE}));
            } catch (IOException e) {
                LOG.debug("peer of qp={} is gone: {}", qp.driver().number(), e.toString());
            }
        }
        closeSocket();
        qp.driver().close();
    }
}
