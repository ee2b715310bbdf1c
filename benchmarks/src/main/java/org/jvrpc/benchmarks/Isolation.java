package org.jvrpc.benchmarks;

import java.time.Duration;
import org.jvrpc.benchmarks.kv.IsolationRun;
import picocli.CommandLine.Command;

/** One reader of the key-value store while 16 writers keep its server busy. */
@Command(name = "isolation")
final class Isolation extends BenchCommand {

    @Override
    void measure(Session session) throws Exception {
        new IsolationRun(session, session.choose(Duration.ofMillis(2000), Duration.ofMillis(5000)),
                session.choose(Duration.ofMillis(1000), Duration.ofMillis(3000)), session.choose(3, 7)).run();
    }
}
