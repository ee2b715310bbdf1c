package org.jvrpc.benchmarks.router;

import java.util.concurrent.locks.LockSupport;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.jvrpc.JvrpcClient;

/** A tenant that calls some 1,000 times a second, and sleeps in between. */
final class VictimClient implements ClientEnd {

    private static final long NAP_NS = 1_000_000;

    private final JvrpcClient client = new JvrpcClient(null, false);

    @Override
    public void connect(String address, int index) {
        client.connect(address, index);
    }

    @Override
    public Operation operation(Workload workload) {
        Operation call = client.operation(workload);
        return new Operation() {
            @Override
            public void before() {
                LockSupport.parkNanos(NAP_NS);
            }

            @Override
            public void call() throws Exception {
                call.call();
            }
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
