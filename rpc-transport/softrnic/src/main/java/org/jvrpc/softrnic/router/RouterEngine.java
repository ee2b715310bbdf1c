package org.jvrpc.softrnic.router;

import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.router.wire.Command;

/** Tells the router what is to be sent. Rung by the thread that posts; the rest is for any thread. */
final class RouterEngine implements SendEngine {

    private final RouterHost host;
    private final PortQueuePair qp;
    private final int number;
    /** What was rung for last, and the router was not told of; the poster's, until it is {@link #untold}. */
    private int producer;
    private volatile boolean untold;
    private volatile boolean gone;

    RouterEngine(RouterHost host, PortQueuePair qp) {
        this.host = host;
        this.qp = qp;
        this.number = qp.number();
    }

    @Override
    public void ring(int rung) {
        if (untold || gone) {
            ringUntold(rung);
            return;
        }
        Link router = host.now();
        if (router == null || !router.trySay(Command.RING, rung, number)) {
            ringUntold(rung);
        }
    }

    private synchronized void ringUntold(int rung) {
        producer = rung;
        untold = true;
        progress();
        if (untold) {
            qp.stalled();
        }
    }

    @Override
    public void wakePeer() {
        // the router wakes
    }

    @Override
    public boolean isStalled() {
        return untold;
    }

    @Override
    public synchronized void progress() {
        if (!untold) {
            return;
        }
        Link router = host.now();
        if (gone) {
            untold = false; // nobody executes it: what flushes the queue has seen it
        } else if (router != null && router.trySay(Command.RING, producer, number)) {
            untold = false;
        } else if (router != null) {
            qp.stalled();
        }
    }

    /** The router of this QP is gone. Any thread; takes no lock. */
    void routerGone() {
        gone = true;
    }

    boolean isGone() {
        return gone;
    }
}
