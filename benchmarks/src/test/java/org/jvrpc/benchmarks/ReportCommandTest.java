package org.jvrpc.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A report has charts with something in them, all figures, the host and the commands; bad files are named. */
final class ReportCommandTest {

    private static final String FIGURES = """
            {
              "null-rpc.jvrpc.max_ns": 2600000,
              "null-rpc.jvrpc.p50_ns": 210,
              "null-rpc.jvrpc.p50_limit_ratio": 1.75,
              "null-rpc.jvrpc.p50_q1_ns": 206,
              "null-rpc.jvrpc.p50_q3_ns": 214,
              "null-rpc.jvrpc.p99_ns": 300,
              "null-rpc.grpc.p50_ns": 94000,
              "null-rpc.grpc.p99_ns": 130000,
              "throughput-w8.jvrpc.ops_per_s": 3600000,
              "machine.others.cpu_fraction": 0.01
            }
            """;

    @TempDir
    private Path folder;

    private final StringWriter said = new StringWriter();

    @Test
    void aReportHasChartsFiguresHostAndCommand() throws IOException {
        Path figures = Files.writeString(folder.resolve("figures.json"), FIGURES);
        Path out = folder.resolve("out");
        assertEquals(0, report(figures.toString(), "--out", out.toString(), "--host", "two cores", "--command",
                "benchmarks/bench null-rpc"), said.toString());
        String page = Files.readString(out.resolve("report.md"));
        for (String part : new String[] {"two cores", "benchmarks/bench null-rpc\n", "## throughput-w8",
            "| jvrpc | 210 ns | 206 ns to 214 ns |  | 300 ns |  | 2600.0 us | 1.75 |",
            "| jvrpc.ops_per_s | 3,600,000 |",
            "![null-rpc, microseconds a call, p50 and p99](null-rpc-p50.png)"}) {
            assertTrue(page.contains(part), part + " is not in\n" + page);
        }
        BufferedImage chart = ImageIO.read(out.resolve("null-rpc-p50.png").toFile());
        assertTrue(hasColor(chart, 0x2f6f9f), "no bar is drawn");
    }

    @Test
    void filesSayNeitherHostNorNonsense() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.json"), "[1]");
        Path out = folder.resolve("out");
        assertEquals(2, report(bad.toString(), "--out", out.toString()));
        assertTrue(said.toString().contains("--host is missing"), said.toString());
        assertEquals(1, report(bad.toString(), "--out", out.toString(), "--host", "two cores"));
        assertTrue(said.toString().contains("bad.json"), said.toString());
        assertFalse(Files.exists(out.resolve("report.md")));
        assertEquals(2, report("--out", out.toString()));
    }

    private int report(String... arguments) {
        CommandLine command = ReportCommand.commandLine();
        command.setErr(new PrintWriter(said, true));
        command.setOut(new PrintWriter(said, true));
        return command.execute(arguments);
    }

    private static boolean hasColor(BufferedImage image, int color) {
        int found = 0;
        for (int x = 0; x < image.getWidth(); x++) {
            for (int y = 0; y < image.getHeight(); y++) {
                found += (image.getRGB(x, y) & 0xffffff) == color ? 1 : 0;
            }
        }
        return found > 100;
    }
}
