package org.jvrpc.softrnic.roce;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jvrpc.roce.cm.CmConnection;
import org.jvrpc.roce.cm.CmEvent;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.PrivateBytes;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;

/**
 * The passive side of connection set-up. Nothing of it waits for the peer. It uses the node until it is answered, or
 * its sender gives up, or the device closes. One thread, and the node's for events.
 */
final class RoceRequest implements ConnectionRequest, ManagementPort.Owner, AutoCloseable {

    private static final byte[] NONE = {};

    private final RoceNode node;
    private final Keeper keeper;
    private final CmConnection connection;
    private final ConnectRequest request;
    private final EventChannel channel;
    private final AtomicBoolean answered = new AtomicBoolean();
    private final AtomicBoolean left = new AtomicBoolean();
    private final Consumer<RoceRequest> listener;
    /** Its sender gave up before it was answered, or was not heard of again. */
    private volatile boolean over;

    /** @param listener told when nobody needs to answer it any more */
    RoceRequest(RoceNode node, Keeper keeper, CmConnection connection, ConnectRequest request, EventChannel channel,
            Consumer<RoceRequest> listener) {
        this.listener = listener;
        this.node = node;
        this.keeper = keeper;
        this.connection = connection;
        this.request = request;
        this.channel = channel;
        SharedNodes.join(node);
    }

    private void leave() {
        if (left.compareAndSet(false, true)) {
            keeper.forget(this);
            SharedNodes.leave(node);
        }
    }

    @Override
    public void event(CmEvent event) {
        over = true;
        listener.accept(this);
        leave();
    }

    boolean isOver() {
        return over;
    }

    @Override
    public byte[] privateData() {
        return PrivateBytes.unwrapOrEmpty(request.privateData());
    }

    @Override
    public boolean isProven() {
        return false;
    }

    @Override
    public InetAddress peerHost() {
        return node.near(ManagementPort.addressOf(connection.peer())).getAddress();
    }

    @Override
    public Connection accept(QueuePair qp, byte[] answer) {
        return accept(qp, answer, channel);
    }

    @Override
    public Connection accept(QueuePair qp, byte[] answer, EventChannel watcher) {
        byte[] framed = PrivateBytes.wrap(answer, PrivateBytes.MAX_ANSWER);
        RocePort port = RocePort.of("accept", qp);
        answerOnce();
        try {
            return accept(port, framed, watcher);
        } finally {
            leave();
        }
    }

    private Connection accept(RocePort port, byte[] framed, EventChannel watcher) {
        RoceConnection made = new RoceConnection(node, keeper, port, connection, privateData(), watcher,
                channel);
        connection.attach(made);
        try {
            port.accept(node, RoceEndpoint.of(connection, request.qpn(), request.startingPsn(), mtu()),
                    request.responderResources(), ManagementPort.isKin(request.caGuid()), request.service(),
                    () -> node.management().heard(connection));
        } catch (VerbsException e) {
            port.fail();
            node.management().reject(connection, RejectReason.NO_RESOURCES, NONE);
            throw new ConnectionException(Reason.LOCAL, "cannot connect: " + e.getMessage(), e);
        }
        if (!node.management().accept(connection, port.reply(framed))) {
            port.fail();
            throw new ConnectionException(Reason.UNREACHABLE, "the peer gave up: " + peerHost(), null);
        }
        return keeper.keep(made);
    }

    private int mtu() {
        return RoceEndpoint.mtu(request.pathMtu());
    }

    private void answerOnce() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("the request is answered already");
        }
    }

    @Override
    public void reject(byte[] answer) {
        byte[] framed = PrivateBytes.wrap(answer, PrivateBytes.MAX_ANSWER);
        answerOnce();
        node.management().reject(connection, RejectReason.CONSUMER, framed);
        leave();
    }

    /** Ends a request that nobody will answer any more. */
    void drop() {
        if (answered.compareAndSet(false, true)) {
            node.management().reject(connection, RejectReason.CONSUMER, NONE);
        }
        leave();
    }

    @Override
    public void close() {
        drop();
    }
}
