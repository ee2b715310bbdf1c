package org.jvrpc.router.engine.memory;

import java.nio.ByteBuffer;
import org.jvrpc.softrnic.router.wire.SubmitRing;

/**
 * A QP's submit ring as the router takes entries from it: each is looked at by one load, and how many there were is the
 * router's own count. The worker's thread.
 */
public final class PushIn {

    /** Entries after which the owner is told how many were taken; it needs to know before the ring is full. */
    private static final int TELL = SubmitRing.ENTRIES / 2;

    private final ByteBuffer memory;
    private final int ring;
    private int taken;
    private long word;

    /** @param ring offset in its memory */
    public PushIn(ByteBuffer memory, int ring) {
        this.memory = memory;
        this.ring = ring;
    }

    /** Looks for an entry, whose word is kept. */
    public boolean look() {
        word = SubmitRing.read(memory, ring, taken);
        return SubmitRing.isOf(word, taken);
    }

    /** Returns whether the entry that was seen is a message. */
    public boolean isMessage() {
        return SubmitRing.kind(word) == SubmitRing.PUSH;
    }

    public boolean isDoorbell() {
        return SubmitRing.kind(word) == SubmitRing.RING;
    }

    public int length() {
        return SubmitRing.length(word);
    }

    public int producer() {
        return SubmitRing.producer(word);
    }

    public ByteBuffer memory() {
        return memory;
    }

    /** Returns where the message lies. */
    public int message() {
        return ring + SubmitRing.entry(taken) + SubmitRing.MESSAGE;
    }

    /** Gives the entry back. */
    public void take() {
        if ((++taken & TELL - 1) == 0) {
            SubmitRing.taken(memory, ring, taken);
        }
    }

    /** Says whether the worker looks here by itself; ordered before its next look. */
    public void hot(boolean now) {
        SubmitRing.hot(memory, ring, now);
    }
}
