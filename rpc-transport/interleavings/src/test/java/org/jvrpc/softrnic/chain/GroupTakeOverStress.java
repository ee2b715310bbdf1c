package org.jvrpc.softrnic.chain;

import java.nio.ByteBuffer;
import org.jvrpc.interleavings.Places;
import org.jvrpc.softrnic.memory.Slab;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Two processes find the same dead one with the claim of a group. */
@JCStressTest
@Outcome(id = {"true, false, 11", "false, true, 12"}, expect = Expect.ACCEPTABLE, desc = "one of them has it")
@Outcome(expect = Expect.FORBIDDEN, desc = "both have it, or none, or another than believes so")
@State
public class GroupTakeOverStress {

    private static final Places PLACES = new Places(GroupContext.BYTES);
    private static final long DEAD = 10;

    private final ByteBuffer memory = PLACES.memory();
    private final int context = Slab.index(PLACES.take());

    /** The dead process has claimed it. */
    public GroupTakeOverStress() {
        GroupContext.claim(memory, context, DEAD);
    }

    /** Sets r1 when it has the claim. */
    @Actor
    public void first(ZZJ_Result result) {
        result.r1 = GroupContext.takeOver(memory, context, DEAD, 11);
    }

    /** Sets r2 when it has the claim. */
    @Actor
    public void second(ZZJ_Result result) {
        result.r2 = GroupContext.takeOver(memory, context, DEAD, 12);
    }

    /** Sets r3 to who has it. */
    @Arbiter
    public void look(ZZJ_Result result) {
        result.r3 = GroupContext.claim(memory, context, 13);
    }
}
