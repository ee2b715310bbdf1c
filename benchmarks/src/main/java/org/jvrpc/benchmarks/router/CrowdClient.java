package org.jvrpc.benchmarks.router;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.benchmarks.jvrpc.JvrpcClient;

/** Many tenants of one process: some call in turn, the others are attached, connected, and silent. */
final class CrowdClient implements ClientEnd {

    private static final int SILENT_BYTES = 64;

    private final List<String> busy;
    private final List<String> silent;
    private final List<JvrpcClient> callers = new ArrayList<>();
    private final List<FlowEnd> flows = new ArrayList<>();

    CrowdClient(List<String> busy, List<String> silent) {
        this.busy = busy;
        this.silent = silent;
    }

    @Override
    public void connect(String address, int index) {
        for (String tenant : busy) {
            JvrpcClient client = new JvrpcClient(null, false);
            client.connect(TenantServer.as(address, tenant), index);
            callers.add(client);
        }
        for (String tenant : silent) {
            flows.add(new FlowEnd(TenantServer.writes(address, tenant), SILENT_BYTES, 1, 1));
        }
    }

    @Override
    public Operation operation(Workload workload) {
        Operation[] calls = callers.stream().map(client -> client.operation(workload)).toArray(Operation[]::new);
        return new Operation() {
            private int next;

            @Override
            public void before() {
                next = (next + 1) % calls.length;
            }

            @Override
            public void call() throws Exception {
                calls[next].call();
            }
        };
    }

    @Override
    public void close() {
        callers.forEach(JvrpcClient::close);
        flows.forEach(FlowEnd::close);
    }
}
