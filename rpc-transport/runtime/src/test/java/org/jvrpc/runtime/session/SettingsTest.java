package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;

/** What a client or a server may be told, and what it does when it is told nothing. */
class SettingsTest {

    private static final long LONGEST_NS = Long.MAX_VALUE / 4;

    private final Settings settings = new Settings();

    /** The least and the most are taken; what is beyond is refused with name, range and value. */
    private static void range(String name, LongConsumer set, LongSupplier get, long low, long high) {
        set.accept(low);
        assertEquals(low, get.getAsLong(), name);
        set.accept(high);
        assertEquals(high, get.getAsLong(), name);
        for (long bad : new long[] {low - 1, high + 1}) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> set.accept(bad), name);
            assertEquals(name + " must be " + low + " to " + high + ", " + name + "=" + bad, e.getMessage());
        }
        assertEquals(high, get.getAsLong(), name);
    }

    @Test
    void everyNumberHasItsRange() {
        range("slots", value -> settings.slots((int) value), settings::slots, 1, 4096);
        range("initialSlots", value -> settings.initialSlots((int) value), settings::initialSlots, 1, 4096);
        range("slotBytes", value -> settings.slotBytes((int) value), settings::slotBytes, 256, 1 << 20);
        range("maxBodyBytes", settings::maxBodyBytes, settings::maxBodyBytes, 1 << 20, 1 << 30);
        range("queuedCalls", value -> settings.queuedCalls((int) value), settings::queuedCalls, 1, 1 << 20);
        range("offloadConnections", value -> settings.offloadConnections((int) value), settings::offloadConnections,
                0, 64);
    }

    @Test
    void everyTimeHasItsRange() {
        range("deadline in ns", ns -> settings.deadline(Duration.ofNanos(ns)), settings::deadlineNs, 1, LONGEST_NS);
        range("connectTimeout in ns", ns -> settings.connectTimeout(Duration.ofNanos(ns)), settings::connectTimeoutNs,
                1, LONGEST_NS);
        range("offloadWait in ns", ns -> settings.offloadWait(Duration.ofNanos(ns)), settings::offloadWaitNs, 1,
                LONGEST_NS);
        range("renewAfter in ns", ns -> settings.renewAfter(Duration.ofNanos(ns)), settings::renewAfterNs, 1_000_000,
                3_600_000_000_000L);
        range("keepAlive in ns", ns -> settings.keepAlive(Duration.ofNanos(ns)), settings::keepAliveNs, 100_000_000,
                86_400_000_000_000L);
    }

    @Test
    void connectionsOfAnOffloadAreAPowerOfTwoOrNone() {
        for (int count : new int[] {0, 1, 2, 4, 8, 16, 32, 64}) {
            settings.offloadConnections(count);
            assertEquals(count, settings.offloadConnections());
        }
        for (int count : new int[] {3, 6, 63}) {
            assertEquals("offloadConnections must be 0 or a power of two, offloadConnections=" + count,
                    assertThrows(IllegalArgumentException.class, () -> settings.offloadConnections(count))
                            .getMessage());
        }
    }

    @Test
    void theSlotsOfASessionTakeNoMoreThanServersGrant() {
        settings.slots(4096);
        settings.slotBytes(16_384);
        settings.checkSession();
        settings.slotBytes(16_385);
        assertEquals("slots=4096 of slotBytes=16385 are bytes=67112960, limit=67108864",
                assertThrows(IllegalArgumentException.class, settings::checkSession).getMessage());
        settings.slotBytes(1 << 20); // more than an int holds
        assertTrue(assertThrows(IllegalArgumentException.class, settings::checkSession).getMessage()
                .contains("bytes=4294967296"));
    }

    @Test
    void whoIsToldNothingDoesWhatTheDocumentsSay() {
        assertEquals(64, settings.slots());
        assertEquals(2, settings.initialSlots());
        assertEquals(4096, settings.slotBytes());
        assertEquals(1 << 30, settings.maxBodyBytes());
        assertEquals(30_000_000_000L, settings.deadlineNs());
        assertEquals(5_000_000_000L, settings.connectTimeoutNs());
        assertEquals(60_000_000_000L, settings.keepAliveNs());
        assertEquals(1_000_000_000, settings.renewAfterNs());
        assertEquals(0, settings.offloadWaitNs());
        assertEquals(4, settings.offloadConnections());
        assertEquals(16_384, settings.queuedCalls());
        assertTrue(settings.reconnect());
        assertSame(IdleStrategy.ADAPTIVE, settings.idle());
        assertSame(Environment.SYSTEM, settings.environment());
        settings.checkSession();
    }

    @Test
    void aCopyHasAllOfItAndIsTouchedNoMore() {
        Environment environment = new Environment(Clock.SYSTEM, Threads.DAEMONS);
        settings.slots(3);
        settings.initialSlots(3);
        settings.slotBytes(512);
        settings.maxBodyBytes(2 << 20);
        settings.deadline(Duration.ofNanos(5));
        settings.connectTimeout(Duration.ofNanos(6));
        settings.idle(IdleStrategy.BLOCK);
        settings.reconnect(false);
        settings.renewAfter(Duration.ofMillis(7));
        settings.offloadConnections(8);
        settings.offloadWait(Duration.ofNanos(9));
        settings.queuedCalls(10);
        settings.keepAlive(Duration.ofSeconds(11));
        settings.environment(environment);
        Settings copy = settings.copy();
        settings.slots(4);
        settings.reconnect(true);
        assertEquals(3, copy.slots());
        assertEquals(3, copy.initialSlots());
        assertEquals(512, copy.slotBytes());
        assertEquals(2 << 20, copy.maxBodyBytes());
        assertEquals(5, copy.deadlineNs());
        assertEquals(6, copy.connectTimeoutNs());
        assertSame(IdleStrategy.BLOCK, copy.idle());
        assertFalse(copy.reconnect());
        assertEquals(7_000_000, copy.renewAfterNs());
        assertEquals(8, copy.offloadConnections());
        assertEquals(9, copy.offloadWaitNs());
        assertEquals(10, copy.queuedCalls());
        assertEquals(11_000_000_000L, copy.keepAliveNs());
        assertSame(environment, copy.environment());
    }

    @Test
    void noIdleStrategyIsNone() {
        assertEquals("idle", assertThrows(NullPointerException.class, () -> settings.idle(null)).getMessage());
    }
}
