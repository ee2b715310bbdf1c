package org.jvrpc.runtime.verbs;

import org.jvrpc.verbs.rare.Rare;

/**
 * The sends of a link that found no room in its queue, oldest first: the slots of their messages, which stay where they
 * are, and their numbers. Holds each slot once at most, so its length is bounded. One thread.
 */
final class Unsent {

    private final int[] slots;
    private final long[] numbers;
    private int first;
    private int size;
    private long progressNs;

    /** @param capacity the number of send slots */
    Unsent(int capacity) {
        slots = new int[capacity];
        numbers = new long[capacity];
    }

    int size() {
        return size;
    }

    /** Keeps a send; false when more are kept than there are slots. */
    boolean add(int slot, long number, long nowNs) {
        if (size == slots.length) {
            Rare.reached("more sends wait for room than there are slots");
            return false;
        }
        if (size == 0) {
            Rare.reached("a send waits for room");
            progressNs = nowNs;
        }
        int at = (first + size++) % slots.length;
        slots[at] = slot;
        numbers[at] = number;
        return true;
    }

    int slot() {
        return slots[first];
    }

    long number() {
        return numbers[first];
    }

    /** The oldest was posted. */
    void remove(long nowNs) {
        first = (first + 1) % slots.length;
        size--;
        progressNs = nowNs;
    }

    /** Returns how long none could be posted, in nanoseconds. */
    long stuckNs(long nowNs) {
        return nowNs - progressNs;
    }
}
