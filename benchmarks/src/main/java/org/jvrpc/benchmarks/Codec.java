package org.jvrpc.benchmarks;

import java.util.Comparator;
import java.util.List;
import org.jvrpc.benchmarks.harness.Others;
import org.jvrpc.benchmarks.jmh.CodecBenchmark;
import org.jvrpc.benchmarks.jmh.JmhRun;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.report.Table;
import org.openjdk.jmh.results.RunResult;
import picocli.CommandLine.Command;

/** Generated marshalling against Kryo and Java serialization. */
@Command(name = "codec")
final class Codec extends BenchCommand {

    @Override
    void measure(Session session) throws Exception {
        session.progress("codec: JMH");
        Others others = Others.begin();
        List<RunResult> results = inOrder(session);
        session.noteOthers(others.cpuFraction());
        Table table = new Table("", "encode + decode", "bytes", "allocated", "/ jvrpc");
        double reference = 0;
        for (RunResult result : results) {
            String shape = result.getParams().getParam("shape");
            String codec = JmhRun.method(result);
            String bench = shape.equals("record") ? "codec" : "codec-list";
            double ns = JmhRun.ns(result);
            int bytes = CodecBenchmark.encodedBytes(shape, codec);
            if (codec.equals(Contenders.JVRPC)) {
                reference = ns;
            }
            session.figures().put(bench, codec, "ns_per_op", ns);
            session.figures().put(bench, codec, "encoded_bytes", bytes);
            table.add(shape + ' ' + codec, Format.duration(ns), Integer.toString(bytes),
                    Math.round(JmhRun.allocatedBytes(result)) + " B", Format.ratio(ns / reference));
        }
        session.out().println();
        session.out().println("codec: a record of 5 fields and a String, and a list of " + CodecBenchmark.LIST_LENGTH
                + " of them, there and back again in one thread (JMH)");
        session.out().print(table);
    }

    private static List<RunResult> inOrder(Session session) throws Exception {
        List<String> order = List.of("jvrpc", "kryo", "java");
        return JmhRun.run(CodecBenchmark.class, session.choose(4, 12), session.choose(700L, 1500L)).stream()
                .sorted(Comparator
                        .comparing((RunResult result) -> result.getParams().getParam("shape"))
                        .reversed()
                        .thenComparing(result -> order.indexOf(JmhRun.method(result))))
                .toList();
    }
}
