package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Work on files is done again when an interrupt ends it, and the interrupt is not lost. */
class UninterruptedTest {

    private final List<Boolean> begun = new ArrayList<>();

    @Test
    void workThatIsInterruptedIsDoneAgain() throws IOException {
        assertEquals("done", Uninterrupted.run(() -> {
            begun.add(Thread.currentThread().isInterrupted());
            if (begun.size() <= 2) {
                Thread.currentThread().interrupt();
                throw new ClosedByInterruptException();
            }
            return "done";
        }));
        assertTrue(Thread.interrupted(), "the interrupt is lost");
        assertEquals(List.of(false, false, false), begun);
    }

    @Test
    void workThatIsInterruptedAgainAndAgainEnds() {
        assertThrows(ClosedByInterruptException.class, () -> Uninterrupted.run(() -> {
            begun.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        }));
        assertTrue(Thread.interrupted(), "the interrupt is lost");
        assertEquals(Uninterrupted.MOST_ATTEMPTS, begun.size());
    }

    @Test
    void workThatFailsLeavesTheInterrupt() {
        Thread.currentThread().interrupt();
        assertThrows(IOException.class, () -> Uninterrupted.run(() -> {
            begun.add(Thread.currentThread().isInterrupted());
            throw new IOException("full");
        }));
        assertTrue(Thread.interrupted(), "the interrupt is lost");
        assertEquals(List.of(false), begun);
    }

    @Test
    void nobodyIsInterruptedWhoWasNot() throws IOException {
        assertEquals(1, Uninterrupted.run(() -> 1));
        assertFalse(Thread.interrupted());
    }
}
