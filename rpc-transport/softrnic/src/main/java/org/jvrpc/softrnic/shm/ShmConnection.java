package org.jvrpc.softrnic.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.shm.folder.DeviceFolder;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection: the QP, and the socket that tells of the peer's life. Each side says {@link CmFrame#BYE} when its QP is
 * closed, so that it writes to the other's memory no more; until it has heard that, or knows that the peer's process is
 * dead, a side keeps the socket and the memory. Any thread.
 */
public final class ShmConnection implements Connection, ShmChannel.Handler {

    private static final Logger LOG = LoggerFactory.getLogger(ShmConnection.class);

    private final ShmNode node;
    private final ShmPort port;
    private final PortQueuePair qp;
    private final SocketChannel socket;
    private final ShmChannel channel;
    private final Path peerFolder;
    /** The peer is of this process: its QP says itself when it is closed. */
    private final boolean local;
    private final byte[] privateData;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(64);
    private final ByteBuffer wake = ByteBuffer.allocateDirect(1).put(0, CmFrame.WAKE);
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Closes the socket with the device, when the peer has not left before. */
    private final AutoCloseable linger = this::closeSocket;
    /** What woke the channel is not read yet. The channel's thread. */
    private boolean unread;
    /** It is to be read before the channel's next wait, unless it was before. The channel's thread. */
    private boolean late;
    private boolean peerLeft;
    private boolean byeSaid;
    private volatile boolean connected = true;

    private ShmConnection(
            ShmNode node, ShmPort port, SocketChannel socket, ShmChannel channel, CmFrame peer) {
        String name = ShmEndpoint.decode("modify_qp", peer.endpoint()).device();
        this.node = node;
        this.port = port;
        this.qp = port.qp();
        this.socket = socket;
        this.channel = channel;
        this.peerFolder = node.folderOf(name);
        this.local = ShmNode.isLocal(name);
        this.privateData = peer.privateData();
    }

    /** Connects the QP to the peer of the frame and begins to watch the socket, which is non-blocking. */
    static ShmConnection establish(
            ShmNode node, ShmPort port, SocketChannel socket, ShmChannel channel, CmFrame peer) {
        ShmConnection connection = new ShmConnection(node, port, socket, channel, peer);
        port.qp().driver().connect(peer.endpoint());
        port.visitor().watch();
        port.notifyBy(connection::notifyPeer);
        return connection;
    }

    /** Begins to watch the socket. */
    void watch() throws IOException {
        channel.register(socket, SelectionKey.OP_READ, this);
    }

    /** Returns the port of a QP that is to be connected. @throws VerbsException when that cannot be */
    public static ShmPort portOf(QueuePair qp) {
        if (!(qp instanceof Mlx5QueuePair driver && driver.control() instanceof PortQueuePair control
                && control.port() instanceof ShmPort port)) {
            throw new VerbsException("connect", "the QP is of another device: " + qp);
        }
        if (control.attributes().isDatagram()) {
            throw new VerbsException("connect", "a datagram QP has no peer to connect to: qp number=" + qp.number());
        }
        if (control.state() != QueuePairState.INIT) {
            throw new VerbsException("connect", "qp number=" + qp.number() + " state=" + control.state()
                    + " expected=" + QueuePairState.INIT);
        }
        return port;
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

    /**
     * Has what was sent polled first, and what woke this side read by the next look: to read a socket takes longer than
     * a call does.
     */
    @Override
    public boolean ready() {
        if (!unread && qp.receiveCq().isTaken()) {
            unread = true;
            if (!late) {
                late = true;
                channel.later(this);
            }
            return true;
        }
        boolean told = unread;
        unread = false;
        return read() != 1 || !told;
    }

    @Override
    public boolean readLate() {
        boolean told = unread;
        late = false;
        unread = false;
        return told && socket.isOpen() && read() != 1;
    }

    /** Reads what the peer said; returns how many bytes that was, or -1 at the end. */
    private int read() {
        int count = -1;
        try {
            count = socket.read(incoming.clear());
            for (int i = 0; i < count; i++) {
                if (incoming.get(i) == CmFrame.BYE) {
                    endedByPeer(true);
                    return -1;
                }
            }
            if (count < 0) {
                endedByPeer(false);
            }
        } catch (IOException e) {
            endedByPeer(false);
        }
        return count;
    }

    @Override
    public void suspect() {
        if (connected && !local && !DeviceFolder.isWhole(peerFolder)) {
            LOG.warn("the peer of qp={} truncated its memory, the connection ends: {}", qp.driver().number(),
                    peerFolder);
            endedByPeer(false);
        }
    }

    /** The connection came to nothing: what the peer may have of it is treated as one's that has ended. */
    void lost() {
        endedByPeer(false);
    }

    /** @param saidSo false when the socket ended without a word: then the process is dead, or soon will be */
    private void endedByPeer(boolean saidSo) {
        boolean first;
        boolean closeNow;
        synchronized (this) {
            first = !peerLeft;
            peerLeft = true;
            closeNow = !saidSo || byeSaid;
        }
        if (closeNow) {
            closeSocket();
            node.forget(linger);
        }
        if (!first) {
            return;
        }
        if (connected) {
            connected = false;
            if (saidSo) {
                qp.error();
            } else {
                qp.peerDied();
            }
        }
        if (saidSo) {
            port.visitor().leave(true);
        } else if (!local) {
            channel.attempt(this::peerIsDead);
        }
    }

    /** Looks whether the peer's process is dead, which the kernel may still be at, and sweeps up after it. */
    private boolean peerIsDead(boolean last) {
        boolean dead = DeviceFolder.isDead(peerFolder);
        if (dead || last) {
            port.visitor().leave(dead && !port.isFedByChains());
        }
        return dead && (ShmDirectory.sweepDevice(peerFolder) || closed.get());
    }

    private void closeSocket() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("closing a socket: {}", e.toString());
        }
        channel.closed();
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
        node.forget(this);
        connected = false;
        qp.driver().close();
        boolean stay;
        synchronized (this) {
            sayBye();
            stay = byeSaid && !peerLeft && node.tryKeep(linger);
        }
        if (!stay) {
            closeSocket();
        }
    }

    private void sayBye() {
        try {
            byeSaid = port.isQuiet() && socket.isOpen()
                    && socket.write(ByteBuffer.wrap(new byte[] {CmFrame.BYE})) == 1;
        } catch (IOException e) {
            LOG.debug("peer of qp={} is gone: {}", qp.driver().number(), e.toString());
        }
    }
}
