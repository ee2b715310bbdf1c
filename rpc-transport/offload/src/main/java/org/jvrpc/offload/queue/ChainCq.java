package org.jvrpc.offload.queue;

import org.jvrpc.verbs.CompletionQueue;

/** A CQ whose completions a program waits for, and how many it has had or been promised. One thread. */
public final class ChainCq {

    private final String name;
    private final int number;
    private int produced;

    /**
     * @param name for listings
     * @param produced completions that it had already
     */
    public ChainCq(String name, int number, int produced) {
        this.name = name;
        this.number = number;
        this.produced = produced;
    }

    /** A CQ without completions. */
    public static ChainCq of(String name, CompletionQueue cq) {
        return new ChainCq(name, cq.number(), 0);
    }

    /** Returns the number on its device. */
    public int number() {
        return number;
    }

    /** Returns how many completions it will have had when the programs built so far are through. */
    public int produced() {
        return produced;
    }

    /** For the builder: counts the completions that a program will make here. */
    public void promise(int completions) {
        produced += completions;
    }

    @Override
    public String toString() {
        return name;
    }
}
