package org.jvrpc.fabric.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class EventQueueTest {

    private record Planned(long atNs, int number) {
    }

    private final EventQueue events = new EventQueue();

    @Test
    void eventsHappenInTheOrderOfTimesAndThenOfScheduling() {
        for (long seed = 1; seed <= 20; seed++) {
            assertOrder(seed);
        }
    }

    /** Against a sorted list, where events schedule others, near and far. */
    private static void assertOrder(long seed) {
        Chance chance = new Chance(seed);
        EventQueue queue = new EventQueue();
        PriorityQueue<Planned> model =
                new PriorityQueue<>(Comparator.comparingLong(Planned::atNs).thenComparingInt(Planned::number));
        List<Planned> seen = new ArrayList<>();
        List<Planned> expected = new ArrayList<>();
        int[] planned = {0};
        EventTarget target = new EventTarget() {
            @Override
            public void happen(int kind, Object subject, long argument) {
                seen.add(new Planned(queue.nowNs(), kind));
                expected.add(model.poll());
                for (int i = chance.below(3); i > 0 && planned[0] < 2000; i--) {
                    plan();
                }
            }

            private void plan() {
                long atNs = queue.nowNs() + switch (chance.below(4)) {
                    case 0 -> 0;
                    case 1 -> chance.below(50);
                    case 2 -> 16_300 + chance.below(200); // about the end of the wheel
                    default -> chance.below(1_000_000);
                };
                model.add(new Planned(atNs, planned[0]));
                queue.schedule(atNs, this, planned[0]++, null, 0);
            }
        };
        for (int i = 0; i < 50; i++) {
            model.add(new Planned(i * 7L, planned[0]));
            queue.schedule(i * 7L, target, planned[0]++, null, 0);
        }
        assertTrue(queue.runEvents(Long.MAX_VALUE), () -> "seed=" + seed);
        assertEquals(expected, seen, () -> "seed=" + seed);
        assertTrue(model.isEmpty(), () -> "seed=" + seed);
    }

    @Test
    void timeGoesOnToTheEndOfARunThoughNothingHappens() {
        events.schedule(100, (kind, subject, argument) -> { }, 0, null, 0);
        assertFalse(events.runUntil(99));
        assertEquals(99, events.nowNs());
        assertEquals(1, events.pending());
        assertTrue(events.runUntil(100));
        assertTrue(events.runUntil(1_000_000_000_000L));
        assertEquals(1_000_000_000_000L, events.nowNs());
        assertEquals(1, events.happened());
    }

    @Test
    void whatHappensNextIsNearFarOrNothing() {
        EventTarget nobody = (kind, subject, argument) -> { };
        assertEquals(Long.MAX_VALUE, events.nextNs());
        events.schedule(1_000_000, nobody, 0, null, 0);
        assertEquals(1_000_000, events.nextNs());
        events.schedule(100, nobody, 0, null, 0);
        assertEquals(100, events.nextNs());
        assertEquals(2, events.pending());
        assertFalse(events.runEvents(1));
        assertEquals(1, events.happened());
        assertEquals(1_000_000, events.nextNs());
        assertTrue(events.runEvents(1));
        assertEquals(2, events.happened());
        assertEquals(0, events.pending());
    }

    @Test
    void thePastIsRefused() {
        events.runUntil(5);
        assertThrows(IllegalArgumentException.class,
                () -> events.schedule(4, (kind, subject, argument) -> { }, 0, null, 0));
    }

    /** Source of the numbers: SplitMix64's authors' program, with seed 1234567. */
    @Test
    void chanceIsSplitMix64() {
        Chance chance = new Chance(1234567);
        assertEquals(6457827717110365317L, chance.bits());
        assertEquals(3203168211198807973L, chance.bits());
        assertEquals(Long.parseUnsignedLong("9817491932198370423"), chance.bits());
        Chance forked = new Chance(1234567).fork(0);
        assertEquals(forked.bits(), new Chance(Chance.mix(1234567 + Chance.mix(0x9e3779b97f4a7c15L))).bits());
    }

    @Test
    void chanceIsThatOfItsSeedAndItsForksAreOthers() {
        assertEquals(new Chance(3).bits(), new Chance(3).bits());
        Chance chance = new Chance(3);
        assertEquals(chance.fork(1).bits(), chance.fork(1).bits());
        assertFalse(chance.fork(1).bits() == chance.fork(2).bits());
        int[] counts = new int[10];
        for (int i = 0; i < 100_000; i++) {
            counts[chance.below(10)]++;
        }
        for (int count : counts) {
            assertEquals(10_000, count, 400);
        }
        int hits = 0;
        for (int i = 0; i < 100_000; i++) {
            hits += chance.test(0.25) ? 1 : 0;
        }
        assertEquals(25_000, hits, 600);
        assertFalse(chance.test(0));
        assertTrue(chance.test(1));
    }
}
