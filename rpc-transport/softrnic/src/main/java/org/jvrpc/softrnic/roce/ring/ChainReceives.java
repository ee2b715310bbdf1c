package org.jvrpc.softrnic.roce.ring;

import java.nio.ByteBuffer;
import org.jvrpc.roce.rc.ReceiveQueue;
import org.jvrpc.softrnic.rc.MessageChains;
import org.jvrpc.verbs.WcStatus;

/**
 * The receives of a cross-channel QP: whoever delivers a message has its group claimed meanwhile, and runs it then.
 * While somebody else has it the QP is not ready to receive. Under the QP's lock.
 */
public final class ChainReceives implements ReceiveQueue {

    /** Of some tenths of a millisecond each. */
    private static final int TRIES = 64;

    private final ReceiveQueue receives;
    private final MessageChains chains;
    private boolean claimed;

    public ChainReceives(ReceiveQueue receives, MessageChains chains) {
        this.receives = receives;
        this.chains = chains;
    }

    private boolean claim() {
        claimed = claimed || chains.claim();
        return claimed;
    }

    private void release() {
        if (claimed) {
            claimed = false;
            chains.release();
        }
    }

    @Override
    public boolean take() {
        boolean there = claim() && receives.take();
        if (!there) {
            release();
        }
        return there;
    }

    @Override
    public WcStatus place(long from, ByteBuffer packet, int at, int length, boolean last) {
        WcStatus placed = receives.place(from, packet, at, length, last);
        if (placed == WcStatus.SUCCESS && !last) {
            release(); // who knows when the next packet comes
        }
        return placed;
    }

    @Override
    public boolean complete(Arrival kind, long length, int word) {
        for (int i = 0; i < TRIES && !claim(); i++) {
            Thread.yield(); // a message of several packets, which it is late to refuse
        }
        try {
            boolean completed = claimed && receives.complete(kind, length, word);
            if (completed) {
                chains.run();
            }
            return completed;
        } finally {
            release();
        }
    }

    @Override
    public void fail(WcStatus status) {
        try {
            receives.fail(status);
        } finally {
            release();
        }
    }

    @Override
    public void failed() {
        release();
        receives.failed();
    }
}
