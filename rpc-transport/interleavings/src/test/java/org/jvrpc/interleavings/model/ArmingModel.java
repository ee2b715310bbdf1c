package org.jvrpc.interleavings.model;

import java.util.EnumSet;
import java.util.Set;

/**
 * A CQ's consumer that sleeps and two producers that wake it, as {@code CqContext} and {@code CqWriter} have it, on
 * processors with store buffers. Each producer completes one WQE: it writes the CQE's bytes, publishes it, looks at the
 * arming, takes it by compare-and-set and wakes. The consumer polls, arms, polls again, sleeps.
 */
final class ArmingModel implements ModelCheck.Model {

    /** What may be done wrong. */
    enum Fault {
        /** The producer looks at the arming without a fence behind the publication. */
        NO_FENCE_OF_PRODUCER,
        /** The consumer looks at the ring without a fence behind the arming. */
        NO_FENCE_OF_CONSUMER,
        /** The consumer sleeps without a look at the ring. */
        NO_SECOND_LOOK,
        /** The CQE is published by a plain store. */
        PLAIN_PUBLICATION,
        /** The producer that wakes does not take the arming; the consumer arms again and finds nothing to take. */
        ARMING_IS_TAKEN_AFTER_WAKING
    }

    private static final int PRODUCERS = 2;
    private static final int ARMED = 0;
    private static final int WAKES = 1;
    /** Words of each slot: its bytes, and whether it is valid. */
    private static final int BYTES = 2;
    private static final int VALID = BYTES + PRODUCERS;
    private static final int WORDS = VALID + PRODUCERS;
    private static final int PC = 0;
    private static final int POLLED = 1;
    private static final int CONSUMER = PRODUCERS;
    private static final int TORN = 99;

    private final WeakMemory memory = new WeakMemory(WORDS, 2, 3);
    private final Set<Fault> faults = EnumSet.noneOf(Fault.class);

    ArmingModel(Fault... faults) {
        this.faults.addAll(Set.of(faults));
    }

    @Override
    public int[] initial() {
        return memory.zeros(PRODUCERS + 1);
    }

    @Override
    public void steps(int[] state, ModelCheck.Next next) {
        for (int processor = 0; processor <= CONSUMER; processor++) {
            memory.leave(state, processor, next);
        }
        for (int producer = 0; producer < PRODUCERS; producer++) {
            produce(state, producer, next);
        }
        consume(state, next);
    }

    private int[] at(int[] state, int processor, int pc) {
        int[] then = state.clone();
        then[memory.register(processor, PC)] = pc;
        return then;
    }

    private void produce(int[] state, int producer, ModelCheck.Next next) {
        String who = "producer " + producer;
        boolean drained = memory.isDrained(state, producer);
        switch (state[memory.register(producer, PC)]) {
            case 0 -> {
                int[] then = at(state, producer, 1);
                memory.store(then, producer, BYTES + producer, 1, false);
                next.add(who + " writes the bytes", then);
            }
            case 1 -> {
                int[] then = at(state, producer, 2);
                memory.store(then, producer, VALID + producer, 1, !faults.contains(Fault.PLAIN_PUBLICATION));
                next.add(who + " publishes", then);
            }
            case 2 -> {
                if (drained || faults.contains(Fault.NO_FENCE_OF_PRODUCER)) {
                    boolean armed = memory.load(state, producer, ARMED) != 0;
                    next.add(who + " finds armed=" + armed, at(state, producer, armed ? 3 : 5));
                }
            }
            case 3 -> {
                if (drained) { // a compare-and-set is a fence
                    boolean late = faults.contains(Fault.ARMING_IS_TAKEN_AFTER_WAKING);
                    boolean takes = late || state[ARMED] == 1;
                    int[] then = at(state, producer, takes ? 4 : 5);
                    then[ARMED] = late ? state[ARMED] : 0;
                    next.add(who + " takes the arming: " + takes, then);
                }
            }
            case 4 -> {
                int[] then = at(state, producer, faults.contains(Fault.ARMING_IS_TAKEN_AFTER_WAKING) ? 6 : 5);
                then[WAKES] = 1;
                next.add(who + " wakes", then);
            }
            case 6 -> {
                int[] then = at(state, producer, 5);
                then[ARMED] = 0;
                next.add(who + " takes the arming", then);
            }
            default -> { }
        }
    }

    private void consume(int[] state, ModelCheck.Next next) {
        int pc = state[memory.register(CONSUMER, PC)];
        switch (pc) {
            case 0, 2 -> {
                if (pc == 0 || memory.isDrained(state, CONSUMER) || faults.contains(Fault.NO_FENCE_OF_CONSUMER)) {
                    poll(state, pc, next);
                }
            }
            case 1 -> {
                int[] then = at(state, CONSUMER, faults.contains(Fault.NO_SECOND_LOOK) ? 3 : 2);
                memory.store(then, CONSUMER, ARMED, 1, true);
                next.add("consumer arms", then);
            }
            default -> {
                if (state[WAKES] != 0) {
                    int[] then = at(state, CONSUMER, 0);
                    then[WAKES] = 0;
                    next.add("consumer is woken", then);
                }
            }
        }
    }

    private void poll(int[] state, int pc, ModelCheck.Next next) {
        boolean found = false;
        for (int slot = 0; slot < PRODUCERS; slot++) {
            int polled = state[memory.register(CONSUMER, POLLED)];
            if ((polled & 1 << slot) == 0 && memory.load(state, CONSUMER, VALID + slot) != 0) {
                found = true;
                int[] then = at(state, CONSUMER, 0);
                boolean whole = memory.load(state, CONSUMER, BYTES + slot) != 0;
                then[memory.register(CONSUMER, POLLED)] = whole ? polled | 1 << slot : TORN;
                next.add("consumer polls completion " + slot, then);
            }
        }
        if (!found) {
            next.add("consumer finds nothing", at(state, CONSUMER, pc + 1));
        }
    }

    @Override
    public String broken(int[] state, boolean last) {
        int polled = state[memory.register(CONSUMER, POLLED)];
        if (polled == TORN) {
            return "a completion without its bytes is polled";
        }
        return last && polled != (1 << PRODUCERS) - 1 ? "the consumer sleeps with a completion in the ring" : null;
    }
}
