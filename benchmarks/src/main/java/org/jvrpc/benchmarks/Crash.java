package org.jvrpc.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import org.jvrpc.benchmarks.kv.CrashRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The key-value store's server killed under load, and what readers of all kinds meet. */
@Command(name = "crash")
final class Crash extends BenchCommand {

    @Option(names = "--out", paramLabel = "FOLDER")
    private Path out;

    @Override
    void measure(Session session) throws Exception {
        new CrashRun(session, out, Duration.ofMillis(1500),
                session.choose(Duration.ofMillis(3000), Duration.ofMillis(6000))).run();
    }
}
