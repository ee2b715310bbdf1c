package org.jvrpc.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jvrpc.benchmarks.harness.Others;
import org.jvrpc.benchmarks.jmh.AllocBenchmark;
import org.jvrpc.benchmarks.jmh.JmhRun;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Table;
import org.openjdk.jmh.results.RunResult;
import picocli.CommandLine.Command;

/** Bytes allocated a call, both sides together. */
@Command(name = "alloc")
final class Alloc extends BenchCommand {

    /** The calls that are promised to allocate nothing. */
    private static final List<String> PROMISED = List.of("nothing", "primitive", "buffer");

    @Override
    void measure(Session session) throws Exception {
        session.progress("alloc: JMH with the gc profiler");
        Others others = Others.begin();
        Map<String, RunResult> byMethod = new TreeMap<>();
        for (RunResult result : JmhRun.run(AllocBenchmark.class, session.choose(6, 16), session.choose(800L, 1500L))) {
            byMethod.put(JmhRun.method(result), result);
        }
        session.noteOthers(others.cpuFraction());
        Table table = new Table("", "allocated", "time");
        double worst = 0;
        for (String method : List.of("nothing", "primitive", "buffer", "tick", "record")) {
            RunResult result = byMethod.get(method);
            double bytes = JmhRun.allocatedBytes(result);
            if (PROMISED.contains(method)) {
                worst = Math.max(worst, bytes);
            }
            session.figures().put("alloc", method, "bytes_per_op", bytes);
            table.add(method, String.format(Locale.ROOT, "%.3f B", bytes), Format.duration(JmhRun.ns(result)));
        }
        session.figures().put("alloc", "rpc", "bytes_per_op", worst);
        session.out().println();
        session.out().println("alloc: bytes a call, server and client in one JVM (JMH -prof gc); promised to be 0: "
                + String.join(", ", PROMISED));
        session.out().print(table);
    }
}
