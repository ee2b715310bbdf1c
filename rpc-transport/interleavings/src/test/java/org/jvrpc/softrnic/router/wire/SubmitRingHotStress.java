package org.jvrpc.softrnic.router.wire;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jvrpc.interleavings.Places;
import org.jvrpc.softrnic.memory.Slab;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A device submits and looks whether its router still looks; the router ceases to look, and looks once more. */
@JCStressTest
@Outcome(id = {"1, 0", "0, 1", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "the router saw it, or is rung for")
@Outcome(expect = Expect.FORBIDDEN, desc = "the entry lies there, and nobody looks")
@State
public class SubmitRingHotStress {

    private static final Places PLACES = new Places(SubmitRing.BYTES);

    private final ByteBuffer memory = PLACES.memory();
    private final int ring = Slab.index(PLACES.take());

    public SubmitRingHotStress() {
        SubmitRing.heed(memory, ring, 1);
    }

    /** Sets r1 to 1 when the device rings by its socket. */
    @Actor
    public void device(II_Result result) {
        SubmitRing.publish(memory, ring, 0, SubmitRing.word(0, SubmitRing.PUSH, 1, 0));
        VarHandle.fullFence(); // as RouterEngine has it
        result.r1 = SubmitRing.isHot(SubmitRing.heed(memory, ring)) ? 0 : 1;
    }

    /** Sets r2 to 1 when the router finds the entry. */
    @Actor
    public void router(II_Result result) {
        SubmitRing.heed(memory, ring, 2);
        result.r2 = SubmitRing.isOf(SubmitRing.read(memory, ring, 0), 0) ? 1 : 0;
    }
}
