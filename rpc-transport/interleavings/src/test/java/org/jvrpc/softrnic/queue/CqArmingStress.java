package org.jvrpc.softrnic.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The consumer arms and looks at the ring; a producer publishes and looks at the arming: one sees the other. */
@JCStressTest
@Outcome(id = {"1, 0", "0, 1", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "it polled, or it was woken")
@Outcome(expect = Expect.FORBIDDEN, desc = "it sleeps with a completion in the ring")
@State
public class CqArmingStress {

    private final StressedCq cq = new StressedCq(false);
    private int wakes;
    private final CqWriter writer = cq.writer(7, () -> wakes++, false);

    /** Sets r1 to 1 when the poll finds the completion. */
    @Actor
    public void consumer(II_Result result) {
        CqContext.arm(cq.memory, cq.context);
        result.r1 = cq.isThere(0) ? 1 : 0;
    }

    /** Sets r2 to how often the consumer was woken. */
    @Actor
    public void producer(II_Result result) {
        writer.succeed(1, 5, 8);
        result.r2 = wakes;
    }
}
