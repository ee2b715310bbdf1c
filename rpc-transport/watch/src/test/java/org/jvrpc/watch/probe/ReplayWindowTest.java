package org.jvrpc.watch.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayWindowTest {

    private final ReplayWindow window = new ReplayWindow();

    @Test
    void numbersThatAreNotPositiveAreRefused() {
        assertFalse(window.take(0));
        assertFalse(window.take(-1));
        assertFalse(window.take(Long.MIN_VALUE));
    }

    @Test
    void theLargestNumberIsTakenOnce() {
        assertTrue(window.take(Long.MAX_VALUE));
        assertFalse(window.take(Long.MAX_VALUE));
        assertTrue(window.take(Long.MAX_VALUE - 1));
        assertEquals(1, window.before(Long.MAX_VALUE));
    }

    @Test
    @Timeout(10)
    void theLargestNumberIsTakenBehindOneNearIt() {
        assertTrue(window.take(Long.MAX_VALUE - 1));
        assertTrue(window.take(Long.MAX_VALUE));
        assertFalse(window.take(Long.MAX_VALUE));
    }

    @Test
    void theBitsSayWhichOfTheSixtyFourBeforeHadCome() {
        for (long sequence : new long[] {36, 98, 99, 100}) {
            window.take(sequence);
        }
        assertEquals(1L << 63 | 3, window.before(100));
    }

    /** Beside a set that forgets nothing. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void eachNumberIsTakenOnceInAnyOrder(long seed) {
        Random random = new Random(seed);
        Set<Long> seen = new HashSet<>();
        long highest = 0;
        long base = 1;
        for (int i = 0; i < 50_000; i++) {
            base += random.nextInt(100) == 0 ? random.nextInt(3000) : random.nextInt(3);
            long sequence = Math.max(1, base - random.nextInt(1200));
            boolean wanted = sequence > highest - ReplayWindow.SPAN && !seen.contains(sequence);
            assertEquals(wanted, window.take(sequence), "seed=" + seed + " i=" + i);
            seen.add(sequence);
            highest = Math.max(highest, sequence);
            long at = highest - random.nextInt(800);
            long bits = 0;
            for (int bit = 0; bit < 64; bit++) {
                bits |= seen.contains(at - 1 - bit) ? 1L << bit : 0;
            }
            assertEquals(bits, window.before(at), "seed=" + seed + " i=" + i + " at=" + at);
        }
    }
}
