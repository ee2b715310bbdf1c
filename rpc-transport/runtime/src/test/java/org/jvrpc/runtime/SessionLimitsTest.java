package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What clients may cost a server: defaults, the least of each, copies. */
class SessionLimitsTest {

    private static final long MIB = 1 << 20;

    private static List<Long> values(SessionLimits limits) {
        return List.of((long) limits.maxSessions(), (long) limits.maxSessionsPerPeer(), limits.sessionMemory(),
                limits.bodyMemoryPerSession(), limits.bodyMemory());
    }

    private static void refused(String why, Executable what) {
        String message = assertThrows(IllegalArgumentException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }

    @Test
    void theDefaultsAreAsTheyAreSaid() {
        assertEquals(List.of(1000L, 500L, 1L << 30, 2304 * MIB, 4608 * MIB), values(new SessionLimits()));
    }

    @Test
    void theLeastOfEachIsTakenAndOneLessRefused() {
        SessionLimits limits = new SessionLimits();
        assertSame(limits, limits.maxSessions(1).maxSessionsPerPeer(1).sessionMemory(MIB)
                .bodyMemory(2 * MIB, 2 * MIB));
        List<Long> least = List.of(1L, 1L, MIB, 2 * MIB, 2 * MIB);
        assertEquals(least, values(limits));
        refused("maxSessions must be at least 1, maxSessions=0", () -> limits.maxSessions(0));
        refused("maxSessionsPerPeer must be at least 1", () -> limits.maxSessionsPerPeer(0));
        refused("sessionMemory must be at least 1048576", () -> limits.sessionMemory(MIB - 1));
        refused("bodyMemory perSession must be at least 2097152", () -> limits.bodyMemory(2 * MIB - 1, 4 * MIB));
        refused("bodyMemory inAll must be at least 2097152", () -> limits.bodyMemory(2 * MIB, 2 * MIB - 1));
        assertEquals(least, values(limits));
    }

    @Test
    void aCopyHasTheSameLimitsAndKeepsThem() {
        SessionLimits limits = new SessionLimits().maxSessions(2).maxSessionsPerPeer(3).sessionMemory(4 * MIB)
                .bodyMemory(5 * MIB, 6 * MIB);
        SessionLimits copy = limits.copy();
        limits.maxSessions(7);
        assertEquals(List.of(2L, 3L, 4 * MIB, 5 * MIB, 6 * MIB), values(copy));
    }
}
