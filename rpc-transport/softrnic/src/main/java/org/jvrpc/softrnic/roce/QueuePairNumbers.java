package org.jvrpc.softrnic.roce;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jvrpc.verbs.VerbsException;

/**
 * Numbers of QPs, of all devices of the process. Nobody can foretell one, and one that was used rests, so that late
 * packets find no other QP. Any thread.
 */
final class QueuePairNumbers {

    /** Above the packets that may still be on the way, and their repeats. */
    static final long REST_NS = 2_000_000_000;
    /** The low half of 24 bits, as numbers of other ports are. */
    private static final int MASK = 0x7fffff;
    private static final int FIRST = 0x11;

    private final IntSupplier random;
    private final LongSupplier clock;
    private final Set<Integer> used = new HashSet<>();
    private final ArrayDeque<Released> resting = new ArrayDeque<>();

    private record Released(int number, long atNs) {
    }

    /** @param random bits that nobody can foretell */
    QueuePairNumbers(IntSupplier random, LongSupplier clock) {
        this.random = random;
        this.clock = clock;
    }

    synchronized int claim() {
        long nowNs = clock.getAsLong();
        while (!resting.isEmpty() && nowNs - resting.peek().atNs() >= REST_NS) {
            used.remove(resting.poll().number());
        }
        if (used.size() > MASK / 2) {
            throw new VerbsException("create_qp", "half of all numbers of QPs are in use, used=" + used.size());
        }
        int number = random.getAsInt() & MASK;
        while (number < FIRST || !used.add(number)) {
            number = random.getAsInt() & MASK;
        }
        return number;
    }

    synchronized void release(int number) {
        resting.add(new Released(number, clock.getAsLong()));
    }
}
