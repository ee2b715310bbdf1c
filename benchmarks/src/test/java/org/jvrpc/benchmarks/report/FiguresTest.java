package org.jvrpc.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FiguresTest {

    @Test
    void shouldWriteOneFlatSortedObject() {
        Figures figures = new Figures();
        figures.put("null-rpc", "limit", new Summary(120, 130, 170, 270, 2_523_135, 9));
        figures.put("idle", "server", "cpu_fraction", 0.00123456789);
        figures.put("throughput-w32", "jvrpc", "ops_per_s", 12_345_678.9);
        figures.put("alloc", "rpc", "bytes_per_op", 0);
        assertEquals("""
                {
                  "alloc.rpc.bytes_per_op": 0,
                  "idle.server.cpu_fraction": 0.00123457,
                  "null-rpc.limit.max_ns": 2523135,
                  "null-rpc.limit.p50_ns": 120,
                  "null-rpc.limit.p90_ns": 130,
                  "null-rpc.limit.p999_ns": 270,
                  "null-rpc.limit.p99_ns": 170,
                  "throughput-w32.jvrpc.ops_per_s": 12345700
                }
                """, figures.toJson());
    }

    @Test
    void shouldNoteARowWithItsQuartilesAndTheLimit() {
        Measured row = new Measured();
        row.add(new Summary(200, 210, 220, 230, 240, 1), 100);
        row.add(new Summary(300, 310, 320, 330, 340, 1), 200);
        Figures figures = new Figures();
        figures.put("null-rpc", "jvrpc", row);
        assertEquals(250, figures.values().get("null-rpc.jvrpc.p50_ns"));
        assertEquals(225, figures.values().get("null-rpc.jvrpc.p50_q1_ns"));
        assertEquals(275, figures.values().get("null-rpc.jvrpc.p50_q3_ns"));
        assertEquals(1.75, figures.values().get("null-rpc.jvrpc.p50_limit_ratio"));
    }

    @Test
    void shouldWriteAnEmptyObjectWhenNothingWasMeasured(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("figures.json");
        new Figures().write(file);
        assertEquals("{\n}\n", Files.readString(file));
    }

    @Test
    void shouldReadWhatItHasWritten(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("figures.json");
        Figures written = new Figures();
        written.put("rdma-send", "ib_send_lat", "p50_ns", 54_321);
        written.put("rdma-send", "user-driver", "c_ratio", 1.0625);
        written.write(file);
        Figures read = new Figures();
        read.put("rdma-send", "user-driver", "c_ratio", 2);
        read.putAll(Figures.read(file));
        assertEquals(54_321, read.values().get("rdma-send.ib_send_lat.p50_ns"));
        assertEquals(2, read.values().get("rdma-send.user-driver.c_ratio"), "what is noted stays");
        assertEquals(2, read.values().size());
    }

    @Test
    void shouldReadFiguresHoweverTheirJsonIsLaidOut(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("figures.json");
        Files.writeString(file, "{\"a.b.c_ns\":1,\"a.b.d_ns\" : -2.5e3,\n\n\"a.\\u0062.e_ns\":\n0.25}");
        assertEquals(Map.of("a.b.c_ns", 1.0, "a.b.d_ns", -2500.0, "a.b.e_ns", 0.25), Figures.read(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\n  \"a.b.c_ns\": 1,\n  \"a.b", "{\"a.b.c_ns\": \"fast\"}", "[1]",
        "{\"a.b.c_ns\": {\"d\": 1}}", "{\"a.b.c_ns\": null}", "{\"a.b.c_ns\": 1} x",
        "{\"a.b.c_ns\": 1, \"a.b.c_ns\": 2}"})
    void shouldRefuseAFileThatIsCutOffOrSomethingElse(String text, @TempDir Path folder) throws IOException {
        Path file = folder.resolve("figures.json");
        Files.writeString(file, text);
        assertThrows(IOException.class, () -> Figures.read(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"p50 ns", "p50.ns", "", "P50_ns", "p50__ns", "p\"50_ns"})
    void shouldRefuseANameOutsideTheForm(String statistic) {
        assertThrows(IllegalArgumentException.class, () -> new Figures().put("null-rpc", "jvrpc", statistic, 1));
    }

    @Test
    void shouldRefuseWhatIsNotANumberAndASecondFigureOfTheSameName() {
        Figures figures = new Figures();
        assertThrows(IllegalArgumentException.class, () -> figures.put("a", "b", "c_ns", Double.NaN));
        figures.put("a", "b", "c_ns", 1);
        assertThrows(IllegalArgumentException.class, () -> figures.put("a", "b", "c_ns", 1));
    }
}
