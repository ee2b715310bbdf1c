package org.jvrpc.fabric.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MttCacheTest {

    private static final int PAGE = 4096;

    private final MttCache cache = new MttCache(64, PAGE);

    @Test
    void aPageMissesOnceAndEachPageOfARangeIsLookedUp() {
        assertEquals(1, cache.use(10, 100));
        assertEquals(0, cache.use(PAGE - 1, 1));
        assertEquals(1, cache.use(PAGE - 1, 2));
        assertEquals(3, cache.use(2 * PAGE, 3 * PAGE));
        assertEquals(0, cache.use(5 * PAGE - 1, 0));
        assertEquals(5, cache.misses());
    }

    @Test
    void moreThanItHoldsMissesAgainAndAgain() {
        for (int round = 0; round < 10; round++) {
            for (int page = 0; page < 16 * 64; page++) {
                cache.use((long) page * PAGE, 1);
            }
        }
        assertTrue(cache.misses() > 10 * 16 * 64 * 0.9, () -> "misses=" + cache.misses());
    }

    @Test
    void aFewPagesStay() {
        for (int round = 0; round < 10; round++) {
            for (int page = 0; page < 8; page++) {
                cache.use((long) page * PAGE, 1);
            }
        }
        assertEquals(8, cache.misses());
    }
}
