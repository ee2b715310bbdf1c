package org.jvrpc.benchmarks.soak.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule of what is a leak. */
class SlopesTest {

    private static Slopes slopes(long... values) {
        Slopes slopes = new Slopes();
        for (long value : values) {
            slopes.add("server", new Leak("things", 5), value);
        }
        return slopes;
    }

    @Test
    void growthThatGoesOnIsALeakAndAStepIsNone() {
        assertEquals(List.of("server things: from 30 to 60, allowed 5"),
                slopes(0, 10, 20, 30, 40, 50, 60, 70, 80).leaks().stream().toList());
        assertTrue(slopes(0, 10, 50, 10, 50, 10, 50, 10, 50, 10).leaks().isEmpty());
        assertTrue(slopes(0, 10, 11, 12, 13, 14, 15).leaks().isEmpty());
        assertTrue(slopes(0, 10, 100).leaks().isEmpty(), "too few to judge");
        assertFalse(slopes(0, 10, 100).table().toString().contains("LEAK"));
    }
}
