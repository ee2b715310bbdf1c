package org.jvrpc.softrnic.queue;

import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A consumer that sees a CQE sees all of it. x86 keeps stores in order: only a compiler could break it there. */
@JCStressTest
@Outcome(id = {"0, 0", "1, 8"}, expect = Expect.ACCEPTABLE, desc = "no completion, or a whole one")
@Outcome(expect = Expect.FORBIDDEN, desc = "a completion without its bytes")
@State
public class CqPublishStress {

    private final StressedCq cq = new StressedCq(false);
    private final CqWriter writer = cq.writer(7, () -> { }, false);

    /** Sets r1 to 1 when there is a completion, and r2 to its byte count. */
    @Actor
    public void consumer(II_Result result) {
        if (cq.isThere(0)) {
            result.r1 = 1;
            result.r2 = BigEndian.getInt(cq.memory, cq.at(0) + Cqe.BYTE_COUNT);
        }
    }

    /** Completes a WQE. */
    @Actor
    public void producer() {
        writer.succeed(1, 5, 8);
    }
}
