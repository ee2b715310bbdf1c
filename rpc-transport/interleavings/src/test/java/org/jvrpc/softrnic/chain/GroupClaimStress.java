package org.jvrpc.softrnic.chain;

import java.nio.ByteBuffer;
import org.jvrpc.interleavings.Places;
import org.jvrpc.softrnic.memory.Slab;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two processes claim a group, and count in plain memory how often that was done. */
@JCStressTest
@Outcome(id = {"1, 2", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "one after the other")
@Outcome(id = {"1, 0", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "one was refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "both at a time, or the second does not see what the first did")
@State
public class GroupClaimStress {

    private static final Places PLACES = new Places(GroupContext.BYTES);

    private final ByteBuffer memory = PLACES.memory();
    private final int context = Slab.index(PLACES.take());
    private int runs;

    private int run(long process) {
        if (GroupContext.claim(memory, context, process) != 0) {
            return 0;
        }
        int run = ++runs;
        GroupContext.release(memory, context);
        return run;
    }

    /** Sets r1 to which run its was, 0 when it was refused. */
    @Actor
    public void first(II_Result result) {
        result.r1 = run(11);
    }

    /** Sets r2 alike. */
    @Actor
    public void second(II_Result result) {
        result.r2 = run(12);
    }
}
