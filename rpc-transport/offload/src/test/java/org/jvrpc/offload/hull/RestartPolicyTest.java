package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RestartPolicyTest {

    private static final long MS = 1_000_000;

    @Test
    void aLongLifeIsFollowedByTheNextAtOnce() {
        RestartPolicy policy = new RestartPolicy(2, 100 * MS);
        for (int i = 0; i < 100; i++) {
            assertEquals(0, policy.died(101 * MS));
        }
    }

    @Test
    void shortLivesAreFollowedEverLaterWithinBoundsAndThenByNone() {
        RestartPolicy policy = new RestartPolicy(100, 100 * MS);
        long before = 0;
        for (int i = 1; i < 100; i++) {
            long delay = policy.died(100 * MS);
            assertEquals(i == 1 ? 100 * MS : Math.min(5000 * MS, before * 2), delay);
            before = delay;
        }
        assertEquals(RestartPolicy.NEVER, policy.died(0));
    }

    @Test
    void aLongLifeMakesShortOnesForgotten() {
        RestartPolicy policy = new RestartPolicy(2, 100 * MS);
        for (int i = 0; i < 10; i++) {
            assertEquals(100 * MS, policy.died(0));
            assertEquals(0, policy.died(Long.MAX_VALUE));
        }
        assertEquals(100 * MS, policy.died(0));
        assertEquals(RestartPolicy.NEVER, policy.died(0));
    }

    @Test
    void noRestartIsNever() {
        assertEquals(RestartPolicy.NEVER, new RestartPolicy(0, 0).died(Long.MAX_VALUE));
    }
}
