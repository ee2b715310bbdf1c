package org.jvrpc.benchmarks.jvrpc;

import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.runtime.IdleStrategy;

/** A client that takes what it can get: its pipeline has as many calls under way as it is told, short or long ones. */
public final class GreedyClient implements ClientEnd {

    private final JvrpcClient client;
    private final int bodyBytes;

    /** @param bodyBytes 0 for calls of 8 bytes */
    public GreedyClient(IdleStrategy idle, int bodyBytes) {
        this.client = new JvrpcClient(idle, false);
        this.bodyBytes = bodyBytes;
    }

    @Override
    public void connect(String address, int index) {
        client.connect(address, index);
    }

    @Override
    public Operation operation(Workload workload) {
        return client.operation(workload);
    }

    @Override
    public Pipeline pipeline() {
        return bodyBytes == 0 ? client.pipeline() : client.longBodies(bodyBytes);
    }

    @Override
    public void close() {
        client.close();
    }
}
