package org.jvrpc.offload.table;

import java.nio.ByteBuffer;
import org.jvrpc.interleavings.Places;
import org.jvrpc.softrnic.memory.Slab;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** An index moves twice while copies are made of where it is. */
@JCStressTest
@Outcome(id = {"[0123], [0123]"}, expect = Expect.ACCEPTABLE, desc = "whole copies, or such as are known not to be")
@Outcome(expect = Expect.FORBIDDEN, desc = "a copy of words of several publications is taken for whole")
@State
public class IndexHeaderStress {

    private static final Places PLACES = new Places(IndexHeader.BYTES);

    private final ByteBuffer memory = PLACES.memory();
    private final int at = Slab.index(PLACES.take());

    /** It was published once. */
    public IndexHeaderStress() {
        publish(1);
    }

    private void publish(int generation) {
        IndexHeader.publish(memory, at, 0x1000L * generation, 8L << generation);
    }

    /** Returns the generation of a whole copy, 0 of one that is not, -1 of one that only claims to be. */
    private static int judge(ByteBuffer copy) {
        if (!IndexHeader.isWhole(copy, 0)) {
            return 0;
        }
        long generation = IndexHeader.generation(copy, 0);
        boolean fits = IndexHeader.address(copy, 0) == 0x1000L * generation
                && IndexHeader.count(copy, 0) == 8L << generation;
        return fits ? (int) generation : -1;
    }

    /** Publishes twice more. */
    @Actor
    public void owner() {
        publish(2);
        publish(3);
    }

    /** Sets r1 and r2 to the generations of two copies. */
    @Actor
    public void reader(II_Result result) {
        result.r1 = judge(Copies.backwards(memory, at, IndexHeader.BYTES));
        result.r2 = judge(Copies.forwards(memory, at, IndexHeader.BYTES));
    }
}
