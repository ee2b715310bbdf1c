package org.jvrpc.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class QuartilesTest {

    @Test
    void shouldTakeValuesInAnyOrder() {
        assertEquals(new Quartiles(20, 30, 40), Quartiles.of(50, 10, 30, 20, 40));
    }

    @Test
    void shouldInterpolate() {
        assertEquals(new Quartiles(1.75, 2.5, 3.25), Quartiles.of(4, 3, 2, 1));
        assertEquals(new Quartiles(1.25, 1.5, 1.75), Quartiles.of(1, 2));
    }

    @Test
    void shouldTakeOneValueForAll() {
        assertEquals(new Quartiles(7, 7, 7), Quartiles.of(7));
    }

    @Test
    void shouldRefuseNothing() {
        assertThrows(IllegalArgumentException.class, Quartiles::of);
    }
}
