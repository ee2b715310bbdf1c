package org.jvrpc.offload.table;

import java.nio.ByteBuffer;
import org.jvrpc.interleavings.Places;
import org.jvrpc.softrnic.memory.Slab;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JI_Result;

/** Whoever reads the address where it is written sees what lies there. x86 keeps stores in order. */
@JCStressTest
@Outcome(id = {"0, 0", "64, 1"}, expect = Expect.ACCEPTABLE, desc = "no index, or one that is there")
@Outcome(expect = Expect.FORBIDDEN, desc = "an index whose entries are not written")
@State
public class IndexPublishStress {

    private static final Places PLACES = new Places(128);
    private static final int ENTRY = 64;

    private final ByteBuffer memory = PLACES.memory();
    private final int at = Slab.index(PLACES.take());

    /** Writes an entry, then where it is. */
    @Actor
    public void owner() {
        memory.putInt(at + ENTRY, 1);
        IndexHeader.publish(memory, at, ENTRY, 1);
    }

    /** Sets r1 to the address and r2 to what lies there. */
    @Actor
    public void reader(JI_Result result) {
        result.r1 = IndexHeader.liveAddress(memory, at);
        if (result.r1 != 0) {
            result.r2 = memory.getInt(at + (int) result.r1);
        }
    }
}
