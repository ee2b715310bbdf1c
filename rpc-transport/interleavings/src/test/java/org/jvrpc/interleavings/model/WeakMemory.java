package org.jvrpc.interleavings.model;

import java.util.Arrays;

/**
 * Shared words and the store buffers of some processors, in a state's vector. A store lies in its processor's buffer,
 * where that one alone sees it, until a step of its own takes it to memory. Stores to several words leave in any order;
 * a release store leaves after all stores before it. Loads are in order, as acquire loads are. So this is weaker than
 * x86, and stronger than Java's memory model.
 *
 * <pre>
 * words | for each processor: registers, stores in its buffer, for each of these: word, value, 1 for a release
 * </pre>
 */
final class WeakMemory {

    private static final int ENTRY = 3;

    private final int words;
    private final int registers;
    private final int depth;

    /** @param depth stores that a buffer holds */
    WeakMemory(int words, int registers, int depth) {
        this.words = words;
        this.registers = registers;
        this.depth = depth;
    }

    int[] zeros(int processors) {
        return new int[words + processors * bytes()];
    }

    private int bytes() {
        return registers + 1 + ENTRY * depth;
    }

    /** Returns where a register is. */
    int register(int processor, int number) {
        return words + processor * bytes() + number;
    }

    private int count(int processor) {
        return register(processor, registers);
    }

    private int entry(int processor, int number) {
        return count(processor) + 1 + ENTRY * number;
    }

    /** Returns true when all stores of a processor are in memory: what a fence waits for. */
    boolean isDrained(int[] state, int processor) {
        return state[count(processor)] == 0;
    }

    int load(int[] state, int processor, int word) {
        for (int i = state[count(processor)] - 1; i >= 0; i--) {
            int at = entry(processor, i);
            if (state[at] == word) {
                return state[at + 1];
            }
        }
        return state[word];
    }

    void store(int[] state, int processor, int word, int value, boolean release) {
        int at = entry(processor, state[count(processor)]++);
        state[at] = word;
        state[at + 1] = value;
        state[at + 2] = release ? 1 : 0;
    }

    /** Adds the steps in which a store of a processor comes to memory. */
    void leave(int[] state, int processor, ModelCheck.Next next) {
        for (int i = 0; i < state[count(processor)]; i++) {
            if (mayLeave(state, processor, i)) {
                int[] then = state.clone();
                int at = entry(processor, i);
                then[state[at]] = state[at + 1];
                int end = entry(processor, state[count(processor)] - 1);
                System.arraycopy(state, at + ENTRY, then, at, end - at);
                Arrays.fill(then, end, end + ENTRY, 0);
                then[count(processor)]--;
                next.add("store of processor " + processor + " to word " + state[at] + " is seen", then);
            }
        }
    }

    private boolean mayLeave(int[] state, int processor, int number) {
        int at = entry(processor, number);
        if (state[at + 2] != 0) {
            return number == 0;
        }
        for (int i = 0; i < number; i++) {
            if (state[entry(processor, i)] == state[at]) {
                return false;
            }
        }
        return true;
    }
}
