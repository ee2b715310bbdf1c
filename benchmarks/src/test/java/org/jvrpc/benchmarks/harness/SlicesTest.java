package org.jvrpc.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

final class SlicesTest {

    private static final String TEXT = "300:9000:10 400:2000:50 500:400:90 600:900:90 700:410:90 800:440:90 900:390:90";

    @Test
    void shouldComeBackFromItsText() {
        assertEquals(TEXT, Slices.parse(TEXT).text());
    }

    @Test
    void shouldRefuseAnotherText() {
        assertThrows(IllegalArgumentException.class, () -> Slices.parse("100:2"));
        assertThrows(IllegalArgumentException.class, () -> Slices.parse("100:2:x"));
    }

    @Test
    void shouldTakeTheMiddleOfSlices() {
        assertEquals(2000, Slices.parse(TEXT).p50(300, 600));
        assertEquals(900, Slices.parse(TEXT).p50(600, 700));
        assertEquals(0, Slices.parse(TEXT).p50(0, 300), "before the first call");
    }

    @Test
    void shouldBeSteadyWhereThreeSlicesInARowAre() {
        assertEquals(700, Slices.parse(TEXT).steadyMs(300, 1.5), "900 ns comes between 400 and 410");
        assertEquals(400, Slices.parse(TEXT).steadyMs(2000, 1.0));
        assertEquals(-1, Slices.parse(TEXT).steadyMs(100, 1.5));
    }

    @Test
    void shouldCallUntilTheProcessIsSoOld() throws Exception {
        Operation operation = new Operation() {
            @Override
            public void call() {
                // nothing to do
            }
        };
        long age = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
        Slices slices = Slices.measure(operation, age + 250);
        assertFalse(slices.slices().isEmpty());
        Slices.Slice last = slices.slices().get(slices.slices().size() - 1);
        assertEquals(0, last.fromMs() % Slices.SLICE_MS, slices::text);
        assertTrue(last.fromMs() <= age + 250 + Slices.SLICE_MS, slices::text);
    }
}
