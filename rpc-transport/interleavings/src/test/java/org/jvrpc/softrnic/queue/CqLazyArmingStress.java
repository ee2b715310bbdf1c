package org.jvrpc.softrnic.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** As {@link CqArmingStress}, with a producer that looks at the arming behind several publications. */
@JCStressTest
@Outcome(id = {"2, 0", "0, 1", "1, 1", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "it polled, or it was woken")
@Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "it sleeps with the second completion in the ring")
@Outcome(expect = Expect.FORBIDDEN, desc = "it sleeps with completions in the ring")
@State
public class CqLazyArmingStress {

    private final StressedCq cq = new StressedCq(true);
    private int wakes;
    private final CqWriter writer = cq.writer(7, () -> wakes++, true);

    /** Polls until there is none, arms and polls again; sets r1 to how many completions it found. */
    @Actor
    public void consumer(II_Result result) {
        CqContext.arm(cq.memory, cq.context);
        result.r1 = !cq.isThere(0) ? 0 : !cq.isThere(1) ? 1 : 2;
    }

    /** Sets r2 to how often the consumer was woken. */
    @Actor
    public void producer(II_Result result) {
        writer.succeed(1, 5, 8);
        writer.succeed(1, 6, 8);
        writer.settle();
        result.r2 = wakes;
    }
}
