package org.jvrpc.interleavings.model;

import java.util.EnumSet;
import java.util.Set;

/**
 * A device that submits two messages, and a router that looks at its submit ring while that is hot, as
 * {@code RouterEngine}, {@code Hot} and {@code Worker} have it, on processors with store buffers. The device writes a
 * message, publishes it, looks whether the ring is hot, and rings by the socket when it is not. The router looks,
 * ceases to, looks once more, sleeps; who rings has it take what is there, and look again from then on.
 */
final class ParkingModel implements ModelCheck.Model {

    /** What may be done wrong. */
    enum Fault {
        /** The device looks whether the ring is hot without a fence behind the publication. */
        NO_FENCE_OF_DEVICE,
        /** The router looks once more without a fence behind its word that it ceases to. */
        NO_FENCE_OF_ROUTER,
        /** The router sleeps without one more look. */
        NO_SECOND_LOOK,
        /** A message is published by a plain store. */
        PLAIN_PUBLICATION,
        /** The ring is hot before the router has looked, and the router looks no more. */
        HOT_WITHOUT_A_LOOK
    }

    private static final int MESSAGES = 2;
    private static final int HOT = 0;
    /** The socket: how often it was rung for, and how often the router has seen that. */
    private static final int RUNG = 1;
    private static final int BYTES = 2;
    private static final int WORD = BYTES + MESSAGES;
    private static final int WORDS = WORD + MESSAGES;
    private static final int DEVICE = 0;
    private static final int ROUTER = 1;
    private static final int PC = 0;
    /** Of the device: messages written. Of the router: messages taken. */
    private static final int COUNT = 1;
    private static final int TORN = 99;

    private final WeakMemory memory = new WeakMemory(WORDS, 2, 2 * MESSAGES);
    private final Set<Fault> faults = EnumSet.noneOf(Fault.class);

    ParkingModel(Fault... faults) {
        this.faults.addAll(Set.of(faults));
    }

    @Override
    public int[] initial() {
        int[] state = memory.zeros(2);
        state[HOT] = 1;
        return state;
    }

    @Override
    public void steps(int[] state, ModelCheck.Next next) {
        memory.leave(state, DEVICE, next);
        memory.leave(state, ROUTER, next);
        submit(state, next);
        look(state, next);
    }

    private int[] at(int[] state, int processor, int pc) {
        int[] then = state.clone();
        then[memory.register(processor, PC)] = pc;
        return then;
    }

    private void submit(int[] state, ModelCheck.Next next) {
        int message = state[memory.register(DEVICE, COUNT)];
        if (message == MESSAGES) {
            return;
        }
        switch (state[memory.register(DEVICE, PC)]) {
            case 0 -> {
                int[] then = at(state, DEVICE, 1);
                memory.store(then, DEVICE, BYTES + message, 1, false);
                next.add("device writes message " + message, then);
            }
            case 1 -> {
                int[] then = at(state, DEVICE, 2);
                memory.store(then, DEVICE, WORD + message, 1, !faults.contains(Fault.PLAIN_PUBLICATION));
                next.add("device publishes message " + message, then);
            }
            case 2 -> {
                if (memory.isDrained(state, DEVICE) || faults.contains(Fault.NO_FENCE_OF_DEVICE)) {
                    boolean hot = memory.load(state, DEVICE, HOT) != 0;
                    int[] then = at(state, DEVICE, hot ? 0 : 3);
                    then[memory.register(DEVICE, COUNT)] += hot ? 1 : 0;
                    next.add("device finds hot=" + hot, then);
                }
            }
            default -> {
                int[] then = at(state, DEVICE, 0);
                then[memory.register(DEVICE, COUNT)]++;
                then[RUNG] = 1; // a system call
                next.add("device rings", then);
            }
        }
    }

    private boolean isThere(int[] state) {
        int taken = state[memory.register(ROUTER, COUNT)];
        return taken < MESSAGES && memory.load(state, ROUTER, WORD + taken) != 0;
    }

    private int[] take(int[] state, int pc) {
        int[] then = at(state, ROUTER, pc);
        int count = memory.register(ROUTER, COUNT);
        boolean whole = memory.load(state, ROUTER, BYTES + state[count]) != 0;
        then[count] = whole ? state[count] + 1 : TORN;
        return then;
    }

    /** 0: hot, it looks each round. 1: it says that it ceases to. 2: one more look. 3: it sleeps. 4: it is rung for. */
    private void look(int[] state, ModelCheck.Next next) {
        switch (state[memory.register(ROUTER, PC)]) {
            case 0 -> {
                if (isThere(state)) {
                    next.add("router takes a message", take(state, 0));
                } else {
                    next.add("router finds nothing for long", at(state, ROUTER, 1));
                }
            }
            case 1 -> {
                int[] then = at(state, ROUTER, faults.contains(Fault.NO_SECOND_LOOK) ? 3 : 2);
                memory.store(then, ROUTER, HOT, 0, true);
                next.add("router says that it ceases to look", then);
            }
            case 2 -> {
                if (memory.isDrained(state, ROUTER) || faults.contains(Fault.NO_FENCE_OF_ROUTER)) {
                    next.add("router looks once more", at(state, ROUTER, isThere(state) ? 4 : 3));
                }
            }
            case 3 -> {
                if (state[RUNG] != 0) {
                    int[] then = at(state, ROUTER, 4);
                    then[RUNG] = 0;
                    next.add("router is rung for", then);
                }
            }
            case 4 -> {
                if (faults.contains(Fault.HOT_WITHOUT_A_LOOK)) {
                    int[] then = at(state, ROUTER, 3);
                    memory.store(then, ROUTER, HOT, 1, true);
                    next.add("router says that it looks", then);
                } else if (isThere(state)) {
                    next.add("router takes a message", take(state, 4));
                } else {
                    int[] then = at(state, ROUTER, 0);
                    memory.store(then, ROUTER, HOT, 1, true);
                    next.add("router says that it looks", then);
                }
            }
            default -> { }
        }
    }

    @Override
    public String broken(int[] state, boolean last) {
        int taken = state[memory.register(ROUTER, COUNT)];
        if (taken == TORN) {
            return "a message without its bytes is taken";
        }
        return last && taken != MESSAGES ? "a message lies there, and nobody looks" : null;
    }
}
