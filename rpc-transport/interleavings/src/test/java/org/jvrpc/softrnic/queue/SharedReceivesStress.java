package org.jvrpc.softrnic.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** Two QPs take receives of an SRQ until none is left of three: each goes to one of them, in order. */
@JCStressTest
@Outcome(id = {"123, 0, 123, 3", "0, 123, 123, 3", "1, 23, 123, 3", "23, 1, 123, 3", "2, 13, 123, 3",
    "13, 2, 123, 3", "3, 12, 123, 3", "12, 3, 123, 3"}, expect = Expect.ACCEPTABLE, desc = "each was taken once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a receive was taken twice, or never, or out of order")
@State
public class SharedReceivesStress {

    private static final int POSTED = 3;

    private final StressedSrq srq = new StressedSrq(POSTED);
    private final SharedReceives first = srq.receives();
    private final SharedReceives second = srq.receives();

    /** Returns the numbers, from 1 on, of what it took, as the digits of a number. */
    private static int takeAll(SharedReceives receives, int qpn) {
        int all = 0;
        for (int n = 0; n <= POSTED; n++) {
            int index = receives.take(qpn);
            if (index < 0) {
                return all;
            }
            all = 10 * all + index + 1;
        }
        return -1;
    }

    /** Sets r1 to what it took. */
    @Actor
    public void first(IIII_Result result) {
        result.r1 = takeAll(first, 7);
    }

    /** Sets r2 to what it took. */
    @Actor
    public void second(IIII_Result result) {
        result.r2 = takeAll(second, 8);
    }

    /** Sets r3 to what the owner words say was taken, and r4 to how much the state says was. */
    @Arbiter
    public void look(IIII_Result result) {
        int digits = 0;
        for (int i = 0; i < POSTED; i++) {
            digits = 10 * digits + (srq.qpn(i) != 0 ? i + 1 : 0);
        }
        result.r3 = digits;
        result.r4 = srq.taken();
    }
}
