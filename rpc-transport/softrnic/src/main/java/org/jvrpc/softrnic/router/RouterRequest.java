package org.jvrpc.softrnic.router;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.Offer;
import org.jvrpc.softrnic.shm.ShmChannel;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.PeerIdentity;
import org.jvrpc.verbs.QueuePair;

/** Somebody who wants to connect, by the router's word. One thread. */
final class RouterRequest implements ConnectionRequest {

    private static final String ROUTER = "router";

    private final RouterHost host;
    private final Link router;
    private final Offer offer;
    private final ShmChannel channel;
    private final AtomicBoolean answered = new AtomicBoolean();

    /** @param router that offers it: another one knows nothing of it */
    RouterRequest(RouterHost host, Link router, Offer offer, ShmChannel channel) {
        this.host = host;
        this.router = router;
        this.offer = offer;
        this.channel = channel;
    }

    @Override
    public byte[] privateData() {
        return offer.privateData().clone();
    }

    @Override
    public InetAddress peerHost() {
        return RouterAddress.inet(offer.address(), offer.address());
    }

    @Override
    public String peer() {
        return "tenant " + offer.tenant() + " at " + offer.address();
    }

    @Override
    public PeerIdentity identity() {
        return new PeerIdentity("tenant:" + offer.tenant(), ROUTER, -1);
    }

    @Override
    public Connection accept(QueuePair qp, byte[] privateData) {
        return accept(qp, privateData, channel);
    }

    @Override
    public Connection accept(QueuePair qp, byte[] privateData, EventChannel watcher) {
        RouterConnector.checkPrivate(privateData);
        RouterPort port = RouterPort.of("accept", qp);
        answerOnce();
        RouterConnection made = new RouterConnection(port, (ShmChannel) watcher, offer);
        port.watchedBy(made); // the peer may be gone before this side knows that it is connected
        try {
            RouterHost.ask(router, "accept", answer(privateData, Command.ACCEPT, port.number()));
        } catch (RefusalException e) {
            port.qp().error();
            throw new ConnectionException(Reason.UNREACHABLE, "the peer is gone: " + e.getMessage(), e);
        }
        RouterConnector.begin(host, port, made);
        return made;
    }

    private IntFunction<ControlFrame> answer(byte[] privateData, Command command, int qp) {
        Offer said = new Offer(offer.offer(), "", "", privateData);
        return id -> said.frame(command, id, qp);
    }

    @Override
    public void reject(byte[] privateData) {
        RouterConnector.checkPrivate(privateData);
        answerOnce();
        try {
            RouterHost.ask(router, "reject", answer(privateData, Command.REJECT, 0));
        } catch (RefusalException e) {
            return; // nobody waits for it any more
        }
    }

    /** Nobody listens any more: the peer is told so. Any thread; never waits. */
    void drop() {
        if (answered.compareAndSet(false, true)) {
            router.say(dropped(offer.offer()));
        }
    }

    /** Returns what tells a router that nobody listens to an offer. */
    static ControlFrame dropped(int offer) {
        ControlFrame body = new Offer(offer, "", "", RouterHost.NONE).frame(Command.REJECT, 0, 0);
        return new ControlFrame(Command.REJECT, Offer.DROPPED, 0, 0, body.body());
    }

    private void answerOnce() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("the request is answered already: " + peer());
        }
    }
}
