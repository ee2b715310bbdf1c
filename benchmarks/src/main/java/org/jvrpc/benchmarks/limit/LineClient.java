package org.jvrpc.benchmarks.limit;

import java.io.IOException;
import java.nio.file.Path;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;

/** The client's end of a ping-pong of cache lines. */
abstract class LineClient implements ClientEnd {

    private Lines lines;
    private long number;

    /** Waits for the pong of a number. */
    abstract void await(Lines mapped, long value);

    @Override
    public final void connect(String address, int index) throws IOException {
        lines = Lines.map(Path.of(address), 0);
    }

    @Override
    public final Operation operation(Workload workload) {
        Lines mapped = lines;
        return new Operation() {
            @Override
            public void call() {
                long next = ++number;
                mapped.publish(Lines.PING, next);
                await(mapped, next);
            }
        };
    }

    @Override
    public void close() {
    }
}
