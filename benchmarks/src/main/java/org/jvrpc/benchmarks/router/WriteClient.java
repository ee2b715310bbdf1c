package org.jvrpc.benchmarks.router;

import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;

/** WRITEs of 1 MiB, two under way. */
public final class WriteClient implements ClientEnd {

    /** Bytes of each. */
    public static final int BYTES = 1 << 20;

    private FlowEnd flow;

    @Override
    public void connect(String address, int index) {
        flow = new FlowEnd(TenantServer.writes(address, RouterContenders.CLIENT.name()), BYTES, 2, 1);
        flow.post();
    }

    @Override
    public Operation operation(Workload workload) {
        return new Operation() {
            @Override
            public void call() {
                flow.post();
                flow.await();
            }
        };
    }

    @Override
    public void close() {
        if (flow != null) {
            flow.close();
        }
    }
}
