package org.jvrpc.softrnic.queue;

import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** Two producers claim a slot each of a CQ that they share, and publish it. */
@JCStressTest
@Outcome(id = {"0, 1, 30, 40", "1, 0, 40, 30"}, expect = Expect.ACCEPTABLE, desc = "both completions are there")
@Outcome(expect = Expect.FORBIDDEN, desc = "a slot has two owners, or a completion is lost or of another's bytes")
@State
public class CqClaimStress {

    private final StressedCq cq = new StressedCq(false);
    private final CqWriter first = cq.writer(3, () -> { }, false);
    private final CqWriter second = cq.writer(4, () -> { }, false);

    private int complete(CqWriter writer, int bytes) {
        int at = writer.claim();
        BigEndian.putInt(cq.memory, at + Cqe.BYTE_COUNT, bytes);
        writer.publish(at, 1, 5, Cqe.REQ, 0);
        return cq.index(at);
    }

    /** Sets r1 to the slot. */
    @Actor
    public void first(IIII_Result result) {
        result.r1 = complete(first, 30);
    }

    /** Sets r2 to the slot. */
    @Actor
    public void second(IIII_Result result) {
        result.r2 = complete(second, 40);
    }

    /** Sets r3 and r4 to the byte counts of the completions in the ring, each of which fits its QP's number. */
    @Arbiter
    public void poll(IIII_Result result) {
        result.r3 = bytes(0);
        result.r4 = bytes(1);
    }

    private int bytes(int index) {
        int count = BigEndian.getInt(cq.memory, cq.at(index) + Cqe.BYTE_COUNT);
        return cq.isThere(index) && count == 10 * Cqe.qpn(cq.tail(index)) ? count : -1;
    }
}
