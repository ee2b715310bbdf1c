package org.jvrpc.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.jvrpc.benchmarks.latency.Forks;

final class ForksTest {

    @Test
    void tellsMediansAndQuartilesOverTheRuns() throws IOException {
        Forks forks = new Forks();
        forks.add("jvrpc", "jvrpc-no-counters", 1.10, 1.04, 9);
        forks.add("jvrpc", "jvrpc-no-counters", 0.90, 1.02, 5);
        forks.add("jvrpc", "jvrpc-no-counters", 1.01, 1.00, 1);
        forks.add("jvrpc-sampled", "jvrpc", 3, 2.5, 600);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Session session = new Session(new Options(), new PrintStream(text, true));
        forks.report(session, "null-rpc");
        assertEquals(Map.of("null-rpc.jvrpc.p50_no_counters_ratio", 1.01,
                "null-rpc.jvrpc.batch_no_counters_ratio", 1.02,
                "null-rpc.jvrpc.batch_more_ns", 5.0, "null-rpc.jvrpc-sampled.p50_jvrpc_ratio", 3.0,
                "null-rpc.jvrpc-sampled.batch_jvrpc_ratio", 2.5, "null-rpc.jvrpc-sampled.batch_more_ns", 600.0),
                session.figures().values());
        assertEquals("jvrpc / jvrpc-no-counters 3 1.010 0.955 to 1.055 1.020 1.010 to 1.030 5 ns",
                text.toString().lines().toList().get(2).replaceAll(" +", " "));
    }

    @Test
    void refusesForksOfWhatHasNoVariants() throws IOException {
        Options options = new Options();
        options.setOnly(List.of("jvrpc"));
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        NullRpc bench = new NullRpc();
        bench.setForks(3);
        assertEquals(1, new Session(options, new PrintStream(text, true)).run(List.<Session.Work>of(bench::measure)));
        assertTrue(text.toString().contains("--forks=3 compares variants, and --only names none of [jvrpc-no-counters"),
                text::toString);
    }
}
