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
    /** The owner's doorbell as it was seen last. */
    private int rung;
    /** The router's own word to the owner; it is written there, and never read. */
    private int heed;

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

    /** Returns whether the owner has rung since {@link #takeRung}. */
    public boolean isRung() {
        return SubmitRing.rung(memory, ring) != rung;
    }

    /** Returns the producer that the owner has rung for. */
    public int takeRung() {
        rung = SubmitRing.rung(memory, ring);
        return rung;
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
        heed += now == SubmitRing.isHot(heed) ? 2 : 1;
        SubmitRing.heed(memory, ring, heed);
    }

    /** The worker has heard the owner's frame, and is about to look: for what comes later there is to be another. */
    public void heard() {
        if (!SubmitRing.isHot(heed)) {
            heed += 2;
            SubmitRing.heed(memory, ring, heed);
        }
    }
}
