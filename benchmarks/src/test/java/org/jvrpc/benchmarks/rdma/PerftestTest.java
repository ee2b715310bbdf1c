package org.jvrpc.benchmarks.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.jvrpc.benchmarks.report.Summary;

/** The form of perftest 4.5, Debian 12. */
final class PerftestTest {

    private static final String OUTPUT = String.join("\n",
            "---------------------------------------------------------------------------------------",
            " GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:09:00:02",
            "---------------------------------------------------------------------------------------",
            " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% "
            + "percentile[usec]   99.9% percentile[usec] ",
            " 16      20000          18.57          3058.05      38.13    \t       39.02       \t33.23  \t\t225.94"
            + "  \t\t353.33 ",
            "---------------------------------------------------------------------------------------", "");

    @Test
    void shouldReadTheLineOfResultsAsRoundTrips() throws IOException {
        assertEquals(new Summary(76_260, 0, 451_880, 706_660, 6_116_100, 20_000), Perftest.parse(OUTPUT, 2));
        assertEquals(38_130, Perftest.parse(OUTPUT, 1).p50());
    }

    @Test
    void shouldTellWhatAProgramSaidThatGaveNoResults() {
        IOException e = assertThrows(IOException.class, () -> Perftest.parse("Couldn't connect to 10.9.0.2", 2));
        assertEquals("perftest printed no line of results: Couldn't connect to 10.9.0.2", e.getMessage());
    }
}
