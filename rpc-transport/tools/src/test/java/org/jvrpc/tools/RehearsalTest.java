package org.jvrpc.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RehearsalTest {

    @Test
    void allThatIsAskedIsAnswered() {
        assertEquals(0, Rehearsal.failed());
    }
}
