package org.jvrpc.softrnic.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two producers that claimed the two slots of a CQ move the hint up behind what each has. */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "the hint is behind both")
@Outcome(expect = Expect.FORBIDDEN, desc = "the hint is before what a producer has claimed")
@State
public class CqHintStress {

    private final StressedCq cq = new StressedCq(false);

    /** Has the first slot. */
    @Actor
    public void first() {
        CqContext.advanceHint(cq.memory, cq.context, 1, StressedCq.ENTRIES);
    }

    /** Has the second slot. */
    @Actor
    public void second() {
        CqContext.advanceHint(cq.memory, cq.context, 2, StressedCq.ENTRIES);
    }

    /** Sets r1 to the hint. */
    @Arbiter
    public void look(I_Result result) {
        result.r1 = CqContext.hint(cq.memory, cq.context);
    }
}
