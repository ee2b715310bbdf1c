package org.jvrpc.runtime.sim.device;

import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.QueuePair;

/** A side of a connection between simulated processes. */
final class SimConnection implements Connection {

    private final SimQueuePair qp;
    private final byte[] privateData;
    private final SimChannel channel;
    /** Has the peer told. */
    private Runnable leaving;
    private boolean connected = true;

    SimConnection(SimQueuePair qp, byte[] privateData, SimChannel channel) {
        this.qp = qp;
        this.privateData = privateData;
        this.channel = channel;
        qp.network().watch(qp, this);
    }

    static void join(SimConnection one, SimConnection other) {
        one.leavesBy(() -> one.qp.network().later(0, other::peerLeft));
        other.leavesBy(() -> other.qp.network().later(0, one::peerLeft));
    }

    /** Says how the peer is told that this side leaves. */
    void leavesBy(Runnable how) {
        leaving = how;
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
    public boolean isConnected() {
        return connected;
    }

    /** The peer has left, which this side hears of when it looks. */
    void peerLeft() {
        channel.chore(() -> {
            qp.network().world().trace("peer of qp " + qp.number() + " has left");
            connected = false;
            qp.error();
        });
    }

    @Override
    public void close() {
        if (connected) {
            connected = false;
            leave();
        }
        qp.error();
    }

    /** Has the peer told. */
    void leave() {
        leaving.run();
    }
}
