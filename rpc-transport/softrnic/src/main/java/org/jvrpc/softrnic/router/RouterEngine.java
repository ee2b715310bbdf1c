package org.jvrpc.softrnic.router;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Copy;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.SubmitRing;

/**
 * Tells the router what is to be sent: by the submit ring, where short messages lie themselves, while the router looks
 * there, and by one frame on the socket else, until it has heard that. Rung by the thread that posts; the rest is for
 * any thread.
 */
final class RouterEngine implements SendEngine {

    private final RouterHost host;
    private final PortQueuePair qp;
    private final int number;
    private final int pd;
    private final RegionTable regions;
    private final boolean lazy;
    private final IntBuffer state;
    /** Address of the submit ring; 0 for none. */
    private final long submit;
    private final ByteBuffer memory;
    private final int ring;
    private final Heed heed;
    /** Entries written, and those that are known to be taken. The poster's. */
    private int submitted;
    private int taken;
    /** There are entries that the router was not told of while it did not look, perhaps. The poster's. */
    private boolean unsettled;
    /** The producer that was last spoken of. The poster's. */
    private int spoken;
    /** What was rung for last, and the router was not told of; the poster's, until it is {@link #untold}. */
    private int producer;
    private volatile boolean untold;
    private volatile boolean gone;

    /** @param submit address of zeroed memory for a submit ring; 0 for none */
    RouterEngine(RouterHost host, PortQueuePair qp, long submit) {
        this.host = host;
        this.qp = qp;
        this.number = qp.number();
        this.pd = qp.pd();
        this.regions = qp.regions();
        this.lazy = qp.attributes().lazyWake();
        this.submit = submit;
        this.memory = qp.sends().memory();
        this.ring = submit == 0 ? 0 : Slab.index(submit);
        this.heed = new Heed(memory, ring);
        this.state = QpContext.stateView(memory, qp.context());
    }

    long submit() {
        return submit;
    }

    @Override
    public void ring(int rung) {
        spoken = rung;
        if (untold || gone) {
            ringUntold(rung);
            return;
        }
        if (submit != 0) {
            SubmitRing.rung(memory, ring, rung);
            if (isSeen()) {
                return;
            }
        }
        tell(rung);
    }

    @Override
    public boolean push(int before, long[] words) {
        int segments = Wqe.segments((int) words[0]);
        if ((segments & ~1) != 2 || words[1] >>> 32 != 0 || Wqe.opcode((int) (words[0] >>> 32)) != Wqe.SEND
                || untold || !QpContext.isRts(state) || !hasRoom()) {
            return false;
        }
        int first = (int) (words[2] >>> 32);
        int second = segments == 3 ? (int) (words[4] >>> 32) : 0;
        int total = first + second;
        if (first < 0 || second < 0 || total < 1 || total > SubmitRing.MAX_MESSAGE) {
            return false;
        }
        ByteBuffer from = regions.window((int) words[2], pd, words[3], first);
        ByteBuffer then = second == 0 ? from : regions.window((int) words[4], pd, words[5], second);
        if (from == null || then == null) {
            return false; // the ring's way tells what is wrong
        }
        int to = ring + SubmitRing.entry(submitted) + SubmitRing.MESSAGE;
        Copy.bytes(from, Slab.index(words[3]), memory, to, first);
        if (second > 0) {
            Copy.bytes(then, Slab.index(words[5]), memory, to + first, second);
        }
        SubmitRing.publish(memory, ring, submitted, SubmitRing.word(submitted, SubmitRing.PUSH, total, before));
        submitted++;
        spoken = before;
        if (!isSeen()) {
            tell(before); // what is rung for ends before it: it is no more than a call
        }
        return true;
    }

    private boolean hasRoom() {
        if (submit == 0) {
            return false;
        }
        if (submitted - taken >= SubmitRing.ENTRIES) {
            int said = SubmitRing.taken(memory, ring);
            // What the router says is believed within what was written: a word of old memory would let entries be lost.
            taken = submitted - said >= 0 && submitted - said <= SubmitRing.ENTRIES ? said : taken;
        }
        return submitted - taken < SubmitRing.ENTRIES;
    }

    /** Returns true when the router looks at what was just written by itself, or has yet to hear the last frame. */
    private boolean isSeen() {
        if (lazy) {
            unsettled = true; // as it may just cease to: see wakePeer
        } else {
            VarHandle.fullFence(); // the router says that it ceases to look, has the same fence, and looks once more
        }
        return heed.isCertain();
    }

    private void tell(int rung) {
        Link router = host.now();
        if (router == null || !router.trySay(Command.RING, rung, number)) {
            ringUntold(rung);
        }
    }

    private synchronized void ringUntold(int rung) {
        producer = untold && producer - rung > 0 ? producer : rung;
        untold = true;
        progress();
        if (untold) {
            qp.stalled();
        }
    }

    @Override
    public void wakePeer() {
        if (unsettled) {
            unsettled = false;
            VarHandle.fullFence();
            if (!heed.isCertain()) {
                tell(spoken);
            }
        }
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
            untold = false; // nobody executes it: the next poll flushes the queue
            qp.sendCq().alert();
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
