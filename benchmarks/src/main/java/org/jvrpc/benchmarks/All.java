package org.jvrpc.benchmarks;

import java.util.List;
import picocli.CommandLine.Command;

/** Every benchmark in turn, with its defaults. */
@Command(name = "all")
final class All extends BenchCommand {

    @Override
    void measure(Session session) {
        List<BenchCommand> benchmarks = List.of(new NullRpc(), new Echo(), new RecordCall(), new Throughput(),
                new Idle(), new Connect(), new Codec(), new Alloc(), new Redn());
        for (BenchCommand benchmark : benchmarks) {
            String name = benchmark.getClass().getAnnotation(Command.class).name();
            session.progress("benchmark " + name);
            try {
                benchmark.measure(session);
            } catch (Exception | LinkageError e) {
                e.printStackTrace();
                session.fail(name + ": " + e);
            }
        }
    }
}
