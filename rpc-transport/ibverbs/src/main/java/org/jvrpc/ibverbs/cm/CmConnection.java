package org.jvrpc.ibverbs.cm;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.ibverbs.core.RdmaQueuePair;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection: the QP, and the id whose events tell of the peer's life. Any thread. */
final class CmConnection implements Connection, CmHandler {

    private static final Logger LOG = LoggerFactory.getLogger(CmConnection.class);

    private final ConnectionManager manager;
    private final RdmaQueuePair qp;
    private final CmId id;
    private final byte[] privateData;
    private final InetAddress peerHost;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean connected = true;

    CmConnection(ConnectionManager manager, RdmaQueuePair qp, CmId id, byte[] privateData) {
        this.manager = manager;
        this.qp = qp;
        this.id = id;
        this.privateData = privateData;
        this.peerHost = id.peerHost();
        manager.keep(this);
    }

    @Override
    public boolean event(CmEvent event) {
        if (event.type() == CmEvent.DEVICE_REMOVAL) {
            manager.removed();
        }
        return switch (event.type()) {
            case CmEvent.DISCONNECTED, CmEvent.TIMEWAIT_EXIT, CmEvent.REJECTED, CmEvent.UNREACHABLE,
                    CmEvent.CONNECT_ERROR, CmEvent.DEVICE_REMOVAL -> lost(event.type());
            default -> false;
        };
    }

    private boolean lost(int event) {
        if (!connected) {
            return false;
        }
        connected = false;
        LOG.debug("connection of qp={} is over, event={}", qp.number(), event);
        id.disconnect();
        synchronized (qp) {
            if (!closed.get()) {
                fail(qp);
            }
        }
        return true;
    }

    /** Moves a QP to ERR; with the device gone there may be none any more. */
    static void fail(RdmaQueuePair qp) {
        try {
            qp.states().error();
        } catch (VerbsException e) {
            LOG.debug("qp={}: {}", qp.number(), e.getMessage());
            qp.states().failed();
        }
        qp.stateChanged();
    }

    @Override
    public QueuePair qp() {
        return qp;
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
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        manager.forget(this);
        if (connected) {
            connected = false;
            id.disconnect();
        }
        id.destroy();
        synchronized (qp) {
            qp.close();
        }
    }
}
