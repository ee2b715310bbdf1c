package org.jvrpc.router.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class TroubleTest {

    private final Trouble trouble = new Trouble(LoggerFactory.getLogger(TroubleTest.class), "a try");

    @Test
    void eachReasonIsSaidOnceUntilItIsOverAndFailuresAreCounted() {
        assertEquals(0, trouble.over());
        for (int i = 0; i < 3; i++) {
            assertEquals(i == 0, trouble.is("this"));
            assertEquals(i == 0, trouble.is("that"));
        }
        assertEquals(6, trouble.over());
        assertEquals(0, trouble.over());
        assertTrue(trouble.is("this"));
        assertEquals(1, trouble.over());
    }

    @Test
    void reasonsThatAreOtherOnesEachTimeDoNotFillTheLog() {
        for (int i = 0; i < Trouble.MOST; i++) {
            assertTrue(trouble.is("reason " + i));
        }
        assertFalse(trouble.is("one more"));
        assertEquals(Trouble.MOST + 1, trouble.over());
    }
}
