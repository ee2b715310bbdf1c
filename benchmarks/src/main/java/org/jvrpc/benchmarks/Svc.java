package org.jvrpc.benchmarks;

import java.util.Map;
import java.util.TreeMap;
import org.jvrpc.benchmarks.harness.Others;
import org.jvrpc.benchmarks.jmh.JmhRun;
import org.jvrpc.benchmarks.jmh.PostBenchmark;
import org.jvrpc.benchmarks.jmh.SvcBenchmark;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Table;
import org.openjdk.jmh.results.RunResult;
import picocli.CommandLine.Command;

/** What a stateful verb call saves, and what posting without native code saves. */
@Command(name = "svc")
final class Svc extends BenchCommand {

    private final Table table = new Table("", "a post", "allocated", "ratio");

    @Override
    void measure(Session session) throws Exception {
        session.progress("svc: JMH over a send queue in plain memory");
        Others others = Others.begin();
        compare(session, "svc-replay", SvcBenchmark.class, "cached", "rebuilt");
        compare(session, "post", PostBenchmark.class, "java", "nativeCall");
        session.noteOthers(others.cpuFraction());
        session.out().println();
        session.out().println("svc: posting a SEND of two SGEs to a queue in memory, no device, in one thread (JMH)");
        session.out().println("svc-replay: a stateful verb call against WR and WQE made anew; post: by Java against a");
        session.out().println("native call for each post; doorbells are counted, not rung");
        session.out().print(table);
    }

    private void compare(Session session, String bench, Class<?> benchmarks, String ours, String other)
            throws Exception {
        Map<String, RunResult> byMethod = new TreeMap<>();
        for (RunResult result : JmhRun.run(benchmarks, session.choose(4, 12), session.choose(700L, 1500L))) {
            byMethod.put(JmhRun.method(result), result);
        }
        double reference = JmhRun.ns(byMethod.get(ours));
        for (String method : new String[] {ours, other}) {
            RunResult result = byMethod.get(method);
            String who = method.equals("nativeCall") ? "native" : method;
            double ns = JmhRun.ns(result);
            session.figures().put(bench, who, "ns_per_op", ns);
            session.figures().put(bench, who, "bytes_per_op", JmhRun.allocatedBytes(result));
            table.add(bench + ' ' + who, Format.duration(ns), Math.round(JmhRun.allocatedBytes(result)) + " B",
                    Format.ratio(ns / reference));
        }
        session.figures().put(bench, ours, "ratio", JmhRun.ns(byMethod.get(other)) / reference);
    }
}
