package org.jvrpc.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LatencyTableTest {

    private final Map<String, Measured> rows = new LinkedHashMap<>();

    private void row(String name, long limitNs, Summary summary) {
        Measured row = new Measured();
        row.add(summary, limitNs);
        rows.put(name, row);
    }

    @Test
    void shouldAlignColumnsAndDivideByLimitAndReferences() throws IOException {
        row("limit", 120, new Summary(120, 131, 170, 270, 2_523_135, 4_749_000));
        row("jvrpc", 120, new Summary(210, 240, 300, 900, 2_600_000, 2_835_123));
        row("uds-blocking", 126, new Summary(31_500, 45_900, 60_300, 91_600, 2_588_700, 28_000));
        row("grpc", 120, new Summary(148_000, 350_200, 1_079_300, 54_313_000, 12_000_000_000L, 2481));
        assertEquals(golden("latency-table.txt"), LatencyTable.of(rows, "jvrpc", "uds-blocking", "missing"));
    }

    @Test
    void shouldLeaveOutTheColumnsOfALimitAndAReferenceThatAreMissing() {
        Measured grpc = new Measured();
        grpc.add(new Summary(1, 2, 3, 4, 5, 6));
        rows.put("grpc", grpc);
        assertEquals("""
                       p50  quartiles   p90   p99  p99.9   max  calls
                grpc  1 ns  1 to 1 ns  2 ns  3 ns   4 ns  5 ns      6
                """, LatencyTable.of(rows, "jvrpc"));
    }

    @Test
    void shouldLayOutNothing() {
        assertEquals("  p50  quartiles  p90  p99  p99.9  max  calls\n", LatencyTable.of(rows, "jvrpc"));
    }

    @Test
    void shouldRefuseARowOfAnotherLength() {
        Table table = new Table("a", "b");
        assertThrows(IllegalArgumentException.class, () -> table.add("1"));
    }

    private static String golden(String name) throws IOException {
        try (InputStream file = LatencyTableTest.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
