package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class TextTest {

    @Test
    void aDurationHasThreeDigitsAndTheUnitThatSuitsIt() {
        assertEquals("0 ns", Text.duration(0));
        assertEquals("999 ns", Text.duration(999));
        assertEquals("1.00 us", Text.duration(1_000));
        assertEquals("9.99 us", Text.duration(9_994));
        assertEquals("10.0 us", Text.duration(9_996));
        assertEquals("99.9 us", Text.duration(99_940));
        assertEquals("100 us", Text.duration(99_960));
        assertEquals("999 us", Text.duration(999_400));
        assertEquals("1.00 ms", Text.duration(999_600));
        assertEquals("60.0 s", Text.duration(60_000_000_000L));
    }

    @Test
    void aCountHasCommas() {
        assertEquals("1,234,567", Text.count(1_234_567));
    }
}
