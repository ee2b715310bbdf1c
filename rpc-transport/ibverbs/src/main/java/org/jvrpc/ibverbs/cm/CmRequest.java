package org.jvrpc.ibverbs.cm;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.ibverbs.core.RdmaQueuePair;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;

/** The passive side of connection set-up. Nothing of it waits for the peer. One thread. */
final class CmRequest implements ConnectionRequest {

    private final ConnectionManager manager;
    private final CmId id;
    private final byte[] privateData;
    private final RdmaEventChannel channel;
    private final AtomicBoolean answered = new AtomicBoolean();

    CmRequest(ConnectionManager manager, CmId id, byte[] privateData, RdmaEventChannel channel) {
        this.manager = manager;
        this.id = id;
        this.privateData = privateData;
        this.channel = channel;
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public InetAddress peerHost() {
        return id.peerHost();
    }

    @Override
    public Connection accept(QueuePair qp, byte[] answer) {
        return accept(qp, answer, channel);
    }

    @Override
    public Connection accept(QueuePair qp, byte[] answer, EventChannel watcher) {
        RdmaQueuePair own = manager.own(qp);
        byte[] framed = PrivateBytes.wrap(answer, PrivateBytes.MAX_ANSWER);
        RdmaEventChannel target = manager.own(watcher);
        manager.expectInit(own);
        answer();
        CmConnection connection = new CmConnection(manager, own, id, privateData);
        try {
            id.moveTo(CmChannel.of(target), connection);
            id.ready(own);
            id.accept(own, framed);
            return connection;
        } catch (VerbsException e) {
            manager.forget(connection);
            CmConnection.fail(own);
            id.destroy();
            throw new ConnectionException(Reason.UNREACHABLE, "the peer is gone: " + e.getMessage(), e);
        }
    }

    private void answer() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("the request is answered already");
        }
    }

    @Override
    public void reject(byte[] answer) {
        byte[] framed = PrivateBytes.wrap(answer, PrivateBytes.MAX_ANSWER);
        answer();
        try {
            id.reject(framed);
        } catch (VerbsException e) {
            return; // the peer gave up, which is what it is told
        } finally {
            id.destroy();
        }
    }

    /** Ends a request that nobody will answer any more. */
    void drop() {
        if (answered.compareAndSet(false, true)) {
            id.destroy();
        }
    }
}
