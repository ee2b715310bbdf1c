package org.jvrpc.watch.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class PrometheusTextTest {

    private final PrometheusText text = new PrometheusText();

    @Test
    void samplesOfOneNameStandTogetherBehindOneHead() {
        text.counter("drops_total", "Frames.", 3, "port", "1");
        text.gauge("up", "Whether it is.", 1);
        text.counter("drops_total", "Frames.", 4.5, "port", "2");
        assertEquals("""
                # HELP drops_total Frames.
                # TYPE drops_total counter
                drops_total{port="1"} 3
                drops_total{port="2"} 4.5
                # HELP up Whether it is.
                # TYPE up gauge
                up 1
                """, text.toString());
    }

    @Test
    void whatWouldEndAValueOrALineIsEscaped() {
        text.gauge("a", "one\ntwo\\", 0, "device", "x\"} 9\nb \\");
        assertEquals("# HELP a one\\ntwo\\\\\n# TYPE a gauge\na{device=\"x\\\"} 9\\nb \\\\\"} 0\n", text.toString());
    }

    @Test
    void numbersAreWrittenAsPrometheusReadsThem() {
        text.gauge("n", "N.", Double.NaN, "k", "1");
        text.gauge("n", "N.", Double.POSITIVE_INFINITY, "k", "2");
        text.gauge("n", "N.", Double.NEGATIVE_INFINITY, "k", "3");
        text.gauge("n", "N.", 9007199254740991.0, "k", "4");
        text.gauge("n", "N.", -0.25, "k", "5");
        assertEquals("# HELP n N.\n# TYPE n gauge\nn{k=\"1\"} NaN\nn{k=\"2\"} +Inf\nn{k=\"3\"} -Inf\n"
                + "n{k=\"4\"} 9007199254740991\nn{k=\"5\"} -0.25\n", text.toString());
    }

    @Test
    void aRepeatedSampleIsLeftOutAndCounted() {
        text.gauge("a", "A.", 1, "k", "v");
        text.gauge("a", "A.", 2, "k", "v");
        assertEquals("# HELP a A.\n# TYPE a gauge\na{k=\"v\"} 1\n"
                + "# HELP jvrpc_watch_repeated_samples Samples that were left out, being there already.\n"
                + "# TYPE jvrpc_watch_repeated_samples gauge\njvrpc_watch_repeated_samples 1\n", text.toString());
    }

    @Test
    void namesThatPrometheusRefusesAreRefusedHere() {
        for (String name : new String[] {"", "1a", "a-b", "a b", "a\n", "ä"}) {
            assertThrows(IllegalArgumentException.class, () -> text.gauge(name, "", 0), name);
            assertThrows(IllegalArgumentException.class, () -> text.gauge("a", "", 0, name, "v"), name);
        }
        assertThrows(IllegalArgumentException.class, () -> text.gauge("a", "", 0, "__k", "v"));
        assertThrows(IllegalArgumentException.class, () -> text.gauge("a", "", 0, "k"));
        assertThrows(IllegalArgumentException.class, () -> text.gauge("a", "", 0, "k", "1", "k", "2"));
        assertEquals("", text.toString());
    }

    @Test
    void aNameHasOneType() {
        text.gauge("a", "A.", 1);
        assertThrows(IllegalArgumentException.class, () -> text.counter("a", "A.", 1, "k", "v"));
    }
}
