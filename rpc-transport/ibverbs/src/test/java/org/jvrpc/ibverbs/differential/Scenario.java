package org.jvrpc.ibverbs.differential;

import java.util.List;
import org.jvrpc.verbs.QueuePairAttributes;

/** Requests that one QP makes of another, all posted at once, and what receives there are. */
enum Scenario {
    SEND(Step.of(Verb.SEND, 2500), Step.of(Verb.SEND, 10)),
    SEND_IMM(Step.of(Verb.SEND_IMM, 2500), Step.of(Verb.SEND_IMM, 10)),
    WRITE(Step.of(Verb.WRITE, 2500), Step.of(Verb.SEND, 10)),
    WRITE_IMM(Step.of(Verb.WRITE_IMM, 2500), Step.of(Verb.WRITE_IMM, 10)),
    READ(Step.of(Verb.READ, 2500), Step.of(Verb.SEND, 10)),
    COMPARE_SWAP(Step.of(Verb.COMPARE_SWAP, 8), Step.of(Verb.COMPARE_SWAP, 8), Step.of(Verb.SEND, 10)),
    FETCH_ADD(Step.of(Verb.FETCH_ADD, 8), Step.of(Verb.FETCH_ADD, 8), Step.of(Verb.SEND, 10)),
    EMPTY(Step.of(Verb.SEND, 0), Step.of(Verb.WRITE, 0), Step.of(Verb.READ, 0), Step.of(Verb.WRITE_IMM, 0)),
    /** All of the same bytes. */
    READ_AFTER_WRITE(Step.of(Verb.WRITE, 1500).at(Party.WRITTEN), Step.of(Verb.READ, 1500).at(Party.WRITTEN),
            Step.of(Verb.FETCH_ADD, 8).at(Party.WRITTEN), Step.of(Verb.READ, 8).at(Party.WRITTEN)),
    /** What chance makes of many is tried by seeds. */
    MIXED(Step.of(Verb.SEND, 1024), Step.of(Verb.WRITE, 3000), Step.of(Verb.READ, 4000), Step.of(Verb.FETCH_ADD, 8),
            Step.of(Verb.WRITE_IMM, 1), Step.of(Verb.COMPARE_SWAP, 8), Step.of(Verb.SEND_IMM, 3000),
            Step.of(Verb.READ, 1), Step.of(Verb.SEND, 4096), Step.of(Verb.FETCH_ADD, 8), Step.of(Verb.WRITE, 0),
            Step.of(Verb.SEND, 0)),
    /** Receives are posted once the first RNR NAK has passed. */
    RECEIVE_LATE(Step.of(Verb.SEND, 1500), Step.of(Verb.SEND, 10)),
    /** As that, for the receive that a WRITE takes at its end. */
    RECEIVE_LATE_FOR_WRITE(Step.of(Verb.WRITE_IMM, 1500), Step.of(Verb.SEND, 10)),
    RECEIVE_NEVER(Step.of(Verb.SEND, 10), Step.of(Verb.SEND, 10)),
    RECEIVE_SHORT(Step.of(Verb.SEND, 10), Step.of(Verb.SEND, 1500), Step.of(Verb.SEND, 10)),
    WRITE_WITH_WRONG_KEY(Step.of(Verb.SEND, 10), Step.of(Verb.WRITE, 1500).wrongKey(), Step.of(Verb.SEND, 10)),
    READ_WITH_WRONG_KEY(Step.of(Verb.SEND, 10), Step.of(Verb.READ, 1500).wrongKey(), Step.of(Verb.SEND, 10)),
    ATOMIC_WITH_WRONG_KEY(Step.of(Verb.SEND, 10), Step.of(Verb.FETCH_ADD, 8).wrongKey(), Step.of(Verb.SEND, 10)),
    WRITE_BEYOND_THE_END(Step.of(Verb.WRITE, 1500).at(Party.BYTES - 1000), Step.of(Verb.SEND, 10)),
    READ_BEYOND_THE_END(Step.of(Verb.READ, 1500).at(Party.BYTES - 1000), Step.of(Verb.SEND, 10)),
    /** Of the key of a region that is registered as usual, which no peer may invalidate. */
    INVALIDATE(Step.of(Verb.SEND, 10), Step.of(Verb.SEND_INVALIDATE, 1500), Step.of(Verb.SEND, 10)),
    ATOMIC_NOT_ALIGNED(Step.of(Verb.FETCH_ADD, 8).at(4), Step.of(Verb.SEND, 10));

    /** What is asked for. */
    enum Verb {
        SEND, SEND_IMM, SEND_INVALIDATE, WRITE, WRITE_IMM, READ, COMPARE_SWAP, FETCH_ADD;

        boolean takesReceive() {
            return this == SEND || this == SEND_IMM || this == SEND_INVALIDATE || this == WRITE_IMM;
        }
    }

    /** @param at where in the other side's memory, or -1 for the usual place */
    record Step(Verb verb, int length, boolean rightKey, int at) {

        static Step of(Verb verb, int length) {
            return new Step(verb, length, true, -1);
        }

        Step wrongKey() {
            return new Step(verb, length, false, at);
        }

        Step at(int offset) {
            return new Step(verb, length, rightKey, offset);
        }
    }

    private static final int USUAL_RECEIVE = 4096;
    private static final int SHORT_RECEIVE = 100;
    private static final int FEW = 2;
    private static final long QUICK_NS = 640_000;
    private static final long SLOW_NS = 61_440_000;

    private final List<Step> steps;

    Scenario(Step... steps) {
        this.steps = List.of(steps);
    }

    List<Step> steps() {
        return steps;
    }

    /** True when nothing goes wrong but packets. */
    boolean isPlain() {
        return ordinal() < MIXED.ordinal();
    }

    /** True when the receives are posted after the first RNR NAK. */
    boolean receivesLate() {
        return this == RECEIVE_LATE || this == RECEIVE_LATE_FOR_WRITE;
    }

    /** Returns how many receives are posted. */
    int receives() {
        return this == RECEIVE_NEVER ? 0 : (int) steps.stream().filter(step -> step.verb.takesReceive()).count();
    }

    int receiveBytes() {
        return this == RECEIVE_SHORT ? SHORT_RECEIVE : USUAL_RECEIVE;
    }

    QueuePairAttributes attributes(QueuePairAttributes attributes) {
        return attributes.rnr(this == RECEIVE_NEVER ? FEW : QueuePairAttributes.RNR_RETRY_FOREVER,
                receivesLate() ? SLOW_NS : QUICK_NS);
    }
}
