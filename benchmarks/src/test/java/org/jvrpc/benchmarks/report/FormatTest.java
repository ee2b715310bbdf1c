package org.jvrpc.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class FormatTest {

    @Test
    void shouldChooseTheUnitByTheSize() {
        assertEquals("8.4 ns", Format.duration(8.42));
        assertEquals("120 ns", Format.duration(120));
        assertEquals("9999 ns", Format.duration(9999));
        assertEquals("10.0 us", Format.duration(10_000));
        assertEquals("10.0 ms", Format.duration(10_000_000));
        assertEquals("20000 ms", Format.duration(20e9));
    }

    @Test
    void shouldNameTheUnitOfARangeOnce() {
        assertEquals("268 to 301 ns", Format.range(268, 301));
        assertEquals("9900 ns to 10.1 us", Format.range(9900, 10_100));
    }

    @Test
    void shouldKeepThreeDigitsOfARatio() {
        assertEquals("1.75", Format.ratio(1.75));
        assertEquals("32.1", Format.ratio(32.14));
        assertEquals("1233", Format.ratio(1233.4));
    }

    @Test
    void shouldWriteRatesCountsAndParts() {
        assertEquals("8.12 M/s", Format.rate(8_123_456));
        assertEquals("33.6 k/s", Format.rate(33_600));
        assertEquals("808 /s", Format.rate(808));
        assertEquals("12.50 GB/s", Format.bandwidth(12.5e9));
        assertEquals("0.4 %", Format.percent(0.004));
        assertEquals("26 M", Format.count(26_000_000));
        assertEquals("4749 k", Format.count(4_749_000));
        assertEquals("2481", Format.count(2481));
    }
}
