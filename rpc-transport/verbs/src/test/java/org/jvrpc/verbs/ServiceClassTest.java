package org.jvrpc.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

final class ServiceClassTest {

    private static void refused(String words, Executable make) {
        assertEquals(words, assertThrows(IllegalArgumentException.class, make).getMessage());
    }

    @Test
    void whatIsOutOfRangeIsRefusedWithTheValue() {
        refused("level must be 0 to 15, level=16", () -> new ServiceClass(16, 0));
        refused("level must be 0 to 15, level=-1", () -> new ServiceClass(-1, 0));
        refused("trafficClass must be 0 to 255, trafficClass=256", () -> new ServiceClass(0, 256));
        refused("trafficClass must be 0 to 255, trafficClass=-1", () -> new ServiceClass(0, -1));
        refused("level must be 0 to 7, level=8", () -> ServiceClass.ofLevel(8));
        refused("level must be 0 to 7, level=-1", () -> ServiceClass.ofLevel(-1));
    }

    /** CS1 to CS7 are DSCP 8 to 56. */
    @Test
    void aLevelHasTheClassSelectorOfItsNumber() {
        for (int level = 0; level <= ServiceClass.MOST_SELECTOR; level++) {
            ServiceClass service = ServiceClass.ofLevel(level);
            assertEquals(level, service.level());
            assertEquals(8 * level, service.trafficClass() >> 2, "DSCP");
            assertEquals(0, service.trafficClass() & 3, "ECN");
        }
    }

    @Test
    void onlyLevelZeroWithTrafficClassZeroIsTheDefault() {
        assertTrue(new ServiceClass(0, 0).isDefault() && ServiceClass.ofLevel(0).isDefault());
        assertFalse(new ServiceClass(1, 0).isDefault());
        assertFalse(new ServiceClass(0, 1).isDefault());
    }
}
