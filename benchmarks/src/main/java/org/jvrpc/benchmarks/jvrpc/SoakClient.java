package org.jvrpc.benchmarks.jvrpc;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.runtime.RpcClient;

/** A client whose pipelines make random calls. Its threads share one connection. */
public final class SoakClient implements ClientEnd {

    private static final int MAX_THREADS = 1000;

    private final long seed;
    private final AtomicInteger threads = new AtomicInteger();
    private int index;
    private RpcClient client;

    /**
     * A client.
     *
     * @param seed of all choices; each thread of each client process makes others from it
     */
    public SoakClient(long seed) {
        this.seed = seed;
    }

    @Override
    public void connect(String address, int index) {
        this.index = index;
        this.client = RpcClient.connect(address);
    }

    @Override
    public Operation operation(Workload workload) {
        throw workload.unsupported();
    }

    @Override
    public Pipeline pipeline() {
        return new SoakPipeline(client.stub(SoakService.class),
                client.asyncStub(SoakService.class, SoakServiceAsync.class),
                seed + (long) index * MAX_THREADS + threads.getAndIncrement());
    }

    @Override
    public void close() {
        client.close();
    }
}
