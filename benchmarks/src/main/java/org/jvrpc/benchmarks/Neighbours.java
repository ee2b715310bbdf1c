package org.jvrpc.benchmarks;

import java.time.Duration;
import org.jvrpc.benchmarks.jvrpc.NeighboursRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Nine modest clients of a server, without and with a tenth that is greedy, or stopped with calls under way. */
@Command(name = "neighbours")
final class Neighbours extends BenchCommand {

    /** Before the names of a run's contenders. */
    static final String SHM = "neighbours";
    static final String RDMA = "neighbours-rdma";

    @Option(names = "--rdma")
    private boolean rdma;

    @Override
    void measure(Session session) throws Exception {
        new NeighboursRun(session, rdma ? RDMA : SHM,
                session.choose(Duration.ofMillis(700), Duration.ofSeconds(2)), session.choose(5, 9)).run();
    }
}
