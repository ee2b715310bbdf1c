package org.jvrpc.softrnic.router.wire;

import java.nio.ByteBuffer;
import org.jvrpc.interleavings.Places;
import org.jvrpc.softrnic.memory.Slab;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A device submits a message, posts a WQE behind it and rings; the router, which looks at the doorbell first, must see
 * the message that has its place before the WQE, else it takes what lies there for a WQE.
 */
@JCStressTest
@Outcome(id = {"0, 0", "0, 1", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "what was rung for is there")
@Outcome(expect = Expect.FORBIDDEN, desc = "the doorbell is ahead of the message")
@State
public class SubmitRingOrderStress {

    private static final Places PLACES = new Places(SubmitRing.BYTES);

    private final ByteBuffer memory = PLACES.memory();
    private final int ring = Slab.index(PLACES.take());

    @Actor
    public void device() {
        SubmitRing.publish(memory, ring, 0, SubmitRing.word(0, SubmitRing.PUSH, 1, 0));
        SubmitRing.rung(memory, ring, 2);
    }

    /** Sets r1 to the producer that it was rung for, and r2 to 1 when the message is there. */
    @Actor
    public void router(II_Result result) {
        result.r1 = SubmitRing.rung(memory, ring);
        result.r2 = SubmitRing.isOf(SubmitRing.read(memory, ring, 0), 0) ? 1 : 0;
    }
}
