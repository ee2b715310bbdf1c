package org.jvrpc.fabric.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ArbiterTest {

    private final Frame[] heads = new Frame[4];

    ArbiterTest() {
        for (int i = 0; i < heads.length; i++) {
            heads[i] = new Frame(64);
            heads[i].bytes = 100 * (i + 1);
            heads[i].order = 10 - i;
        }
    }

    private Arbiter arbiter(Scheduling scheduling) {
        return new Arbiter(scheduling, new int[] {1000, 1000, 2000, 4000});
    }

    /** Returns the bytes that each queue sent, all of which always have frames. */
    private long[] shares(Scheduling scheduling, long ready, int picks) {
        Arbiter arbiter = arbiter(scheduling);
        long[] bytes = new long[heads.length];
        for (int i = 0; i < picks; i++) {
            int queue = arbiter.pick(ready, at -> heads[at]);
            bytes[queue] += heads[queue].bytes;
        }
        return bytes;
    }

    @Test
    void roundRobinGivesEachAFrame() {
        assertEquals("[10000, 20000, 30000, 40000]", Arrays.toString(shares(Scheduling.ROUND_ROBIN, 0xf, 400)));
        assertEquals("[20000, 0, 0, 80000]", Arrays.toString(shares(Scheduling.ROUND_ROBIN, 0b1001, 400)));
    }

    @Test
    void deficitRoundRobinGivesBytesByWeightsWhateverFramesAreLong() {
        long[] bytes = shares(Scheduling.DEFICIT_ROUND_ROBIN, 0xf, 20_000);
        double unit = bytes[0];
        assertEquals(1, bytes[1] / unit, 0.01);
        assertEquals(2, bytes[2] / unit, 0.01);
        assertEquals(4, bytes[3] / unit, 0.01);
    }

    @Test
    void whoHasNothingToSendSavesNoDeficit() {
        Arbiter arbiter = arbiter(Scheduling.DEFICIT_ROUND_ROBIN);
        for (int i = 0; i < 1000; i++) {
            arbiter.pick(0b0001, at -> heads[at]);
        }
        int burst = 0;
        while (arbiter.pick(0b0011, at -> heads[at]) == 1 || burst == 0) {
            burst++;
            assertTrue(burst < 20, "saved");
        }
    }

    @Test
    void strictPriorityServesTheHighest() {
        assertEquals("[0, 0, 0, 4000]", Arrays.toString(shares(Scheduling.STRICT_PRIORITY, 0xf, 10)));
        assertEquals("[0, 2000, 0, 0]", Arrays.toString(shares(Scheduling.STRICT_PRIORITY, 0b0011, 10)));
    }

    @Test
    void firstComeServesTheOldest() {
        assertEquals("[0, 0, 0, 4000]", Arrays.toString(shares(Scheduling.FIRST_COME, 0xf, 10)));
        assertEquals("[0, 0, 3000, 0]", Arrays.toString(shares(Scheduling.FIRST_COME, 0b0111, 10)));
    }
}
