package org.jvrpc.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WaitsTest {

    /** Waits in vain, in a JVM of its own. */
    static final class InVain {

        private InVain() {
        }

        public static void main(String[] arguments) {
            int[] looks = new int[1];
            Waits.until("pigs to fly", () -> ++looks[0] < 0, () -> "pigs=" + 7);
        }
    }

    @Test
    void itLooksUntilTheConditionHolds() {
        int[] looks = new int[1];
        Waits.until("a thousand looks", () -> ++looks[0] == 1000);
        assertEquals(1000, looks[0]);
    }

    @Test
    void theLimitIsScaled() {
        assertTrue(Waits.limitNs() >= 30_000_000_000L);
    }

    @Test
    void itSaysForWhatAndWhatItSawLast() {
        try (ChildJvm child = JavaCommand.of(InVain.class).property("jvrpc.testing.scale", 0).start()) {
            assertEquals(1, child.exitStatus());
            String said = String.join("\n", child.output());
            assertTrue(said.contains("waited 0 s in vain for pigs to fly; seen last: pigs=7"), said);
        }
    }
}
