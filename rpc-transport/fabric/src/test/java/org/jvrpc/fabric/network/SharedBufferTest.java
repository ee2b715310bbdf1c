package org.jvrpc.fabric.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;
import org.jvrpc.fabric.event.Chance;

class SharedBufferTest {

    private static final int LOSSLESS = 1 << 3;
    private static final int LANE = SharedBuffer.lane(1, 3);
    private static final int LOSSY = SharedBuffer.lane(1, 0);
    /** Of 4 ports: 100,000 are shared. */
    private static final BufferSettings SETTINGS = new BufferSettings(100_000 + 4 * 6_000, 1_000, 5_000, 0.25, 0, 500);

    private final SharedBuffer buffer = new SharedBuffer(SETTINGS, 4, LOSSLESS);

    private int takeWhile(int lane, boolean over) {
        int taken = 0;
        while (buffer.isOver(lane) == over && buffer.take(lane, 100)) {
            taken += 100;
        }
        return taken;
    }

    @Test
    void aLanePausesWhenItHoldsAlphaTimesWhatIsFree() {
        // s > (100,000 - s) / 4, so s > 20,000, beside its own 1,000
        assertEquals(21_100, takeWhile(LANE, false));
        assertTrue(buffer.isOver(LANE));
        assertFalse(buffer.isOver(SharedBuffer.lane(2, 3)));
        assertEquals(5_000 - 100, takeWhile(LANE, true), "then its headroom, of which the last one was");
        assertFalse(buffer.take(LANE, 100));
    }

    @Test
    void whatIsLossyHasNoHeadroom() {
        // it has taken no more than a quarter of what is free before it
        assertEquals(21_000, takeWhile(LOSSY, false), 100);
        assertFalse(buffer.take(LOSSY, 100));
    }

    @Test
    void aFixedBoundDoesNotDependOnOthers() {
        SharedBuffer fixed = new SharedBuffer(SETTINGS.withFixed(3_000), 4, LOSSLESS);
        for (int i = 0; i < 40; i++) {
            assertTrue(fixed.take(LANE, 100));
        }
        assertFalse(fixed.isOver(LANE));
        assertTrue(fixed.take(LANE, 100)); // of the headroom
        assertTrue(fixed.isOver(LANE));
    }

    @Test
    void aPauseEndsBelowTheThresholdByTheHysteresis() {
        takeWhile(LANE, false);
        int given = 0;
        while (!buffer.isUnder(LANE)) {
            buffer.give(LANE, 100);
            given += 100;
        }
        assertEquals(500, given, 100);
        buffer.give(LANE, 21_100 - given);
        assertTrue(buffer.isUnder(LANE));
        assertEquals(0, buffer.allHeld());
    }

    @Test
    void whateverIsTakenAndGivenItComesToNothing() {
        for (long seed = 1; seed <= 50; seed++) {
            Chance chance = new Chance(seed);
            SharedBuffer random = new SharedBuffer(SETTINGS, 4, LOSSLESS);
            ArrayDeque<int[]> taken = new ArrayDeque<>();
            for (int i = 0; i < 5000; i++) {
                if (chance.below(5) < 3) {
                    int lane = SharedBuffer.lane(chance.below(4), chance.below(2) * 3);
                    int bytes = 64 + chance.below(1500);
                    if (random.take(lane, bytes)) {
                        taken.add(new int[] {lane, bytes});
                    }
                } else if (!taken.isEmpty()) {
                    int[] one = taken.poll();
                    random.give(one[0], one[1]);
                }
            }
            assertEquals(taken.stream().mapToLong(one -> one[1]).sum(), random.allHeld(), "seed=" + seed);
            assertTrue(random.mostHeld() <= SETTINGS.totalBytes(), "seed=" + seed);
            taken.forEach(one -> random.give(one[0], one[1]));
            assertEquals(0, random.allHeld(), "seed=" + seed);
            assertEquals(25_000, random.threshold(), "seed=" + seed);
        }
    }

    @Test
    void settingsThatLeaveNothingToShareAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new SharedBuffer(SETTINGS, 100, LOSSLESS));
    }
}
