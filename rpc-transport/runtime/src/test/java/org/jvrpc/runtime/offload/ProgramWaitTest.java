package org.jvrpc.runtime.offload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long calls wait for programs, by what calls take. */
class ProgramWaitTest {

    private static final long FAR_NS = 300_000;

    private final ProgramWait wait = new ProgramWait(0);

    private void ordinary(int calls, long tookNs) {
        for (int i = 0; i < calls; i++) {
            wait.ordinary(tookNs);
        }
    }

    @Test
    void whatWasSetCountsWhateverCallsTake() {
        ProgramWait set = new ProgramWait(7);
        set.read(FAR_NS);
        set.ordinary(FAR_NS);
        assertEquals(7, set.ns());
    }

    @Test
    void onOneHostItIsTheLeast() {
        assertEquals(ProgramWait.LEAST_NS, wait.ns());
        wait.read(500);
        ordinary(100, 3_000);
        assertEquals(ProgramWait.LEAST_NS, wait.ns());
    }

    @Test
    void aServerThatIsFarIsGivenTheTimeOfAWayThereAndBackBeforeAnyCall() {
        wait.read(FAR_NS);
        assertEquals(4 * FAR_NS, wait.ns());
    }

    @Test
    void itFollowsOrdinaryCallsBothWaysAndOneSlowCallIsNotAll() {
        ordinary(50, FAR_NS);
        long far = wait.ns();
        assertTrue(far > 1.9 * FAR_NS && far <= 2 * FAR_NS, "wait=" + far);
        wait.ordinary(5 * FAR_NS);
        assertEquals(2 * far, wait.ns(), far * 0.1);
        ordinary(50, 1_000);
        assertEquals(ProgramWait.LEAST_NS, wait.ns());
    }

    @Test
    void nobodyWaitsLongForAProgramHoweverLongCallsTake() {
        wait.read(Long.MAX_VALUE / 4);
        assertEquals(ProgramWait.MOST_NS, wait.ns());
        ordinary(50, Long.MAX_VALUE / 4);
        assertEquals(ProgramWait.MOST_NS, wait.ns());
        ordinary(50, FAR_NS);
        assertTrue(wait.ns() < 3 * FAR_NS, "wait=" + wait.ns());
    }
}
