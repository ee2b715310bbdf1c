package org.jvrpc.runtime.poll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.session.Link;

/** Walks over sessions, some at a time. */
class WalkTest {

    private final Walk walk = new Walk(3);

    private List<Integer> met(int size) {
        List<Integer> met = new ArrayList<>();
        for (int i = walk.begin(size); i < walk.end(); i++) {
            met.add(i);
        }
        return met;
    }

    @Test
    void fewAreMetAtOnceEachTime() {
        for (int size : new int[] {3, 1, 0, 2, 3}) {
            assertEquals(size, met(size).size());
            assertFalse(walk.isUnderWay());
        }
    }

    @Test
    void manyAreMetInTurnAndThenAgain() {
        assertEquals(List.of(0, 1, 2), met(7));
        assertTrue(walk.isUnderWay());
        assertEquals(List.of(3, 4, 5), met(7));
        assertTrue(walk.isUnderWay());
        assertEquals(List.of(6), met(7));
        assertFalse(walk.isUnderWay());
        assertEquals(List.of(0, 1, 2), met(7));
    }

    @Test
    void whenThereAreFewerThanItHasMetItBeginsAgain() {
        met(7);
        met(7);
        assertEquals(List.of(0, 1, 2), met(4));
        assertEquals(List.of(3), met(4));
        met(7);
        assertEquals(List.of(), met(0));
        assertFalse(walk.isUnderWay());
    }

    @Test
    void whoHurriesMeetsAllAtOnceAndThenSomeAtATimeAgain() {
        met(7);
        assertFalse(walk.hasMetAllAtOnce());
        walk.hurry();
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6), met(7));
        assertTrue(walk.hasMetAllAtOnce());
        assertFalse(walk.isUnderWay());
        assertEquals(List.of(0, 1, 2), met(7));
    }

    @Test
    void livesAreLookedAfterInTimeAndAllOfThem() {
        int size = LifeLooks.MOST + 1;
        long periodNs = 1000 / Link.LOOKS_FOR_LIFE;
        LifeLooks lives = new LifeLooks(1000, 5);
        assertEquals(0, lives.begin(4, size));
        assertEquals(0, lives.end(), "it is not time");
        assertEquals(0, lives.begin(5, size));
        assertEquals(LifeLooks.MOST, lives.end());
        assertTrue(lives.areUnderWay());
        assertEquals(LifeLooks.MOST, lives.begin(5, size));
        assertEquals(size, lives.end());
        assertFalse(lives.areUnderWay());
        assertEquals(0, lives.begin(4 + periodNs, size));
        assertEquals(0, lives.end());
        assertEquals(0, lives.begin(5 + periodNs, size));
        assertEquals(LifeLooks.MOST, lives.end());
    }
}
