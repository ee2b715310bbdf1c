package org.jvrpc.benchmarks.kv;

import java.nio.ByteBuffer;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.samples.kv.rpc.KvClient;
import org.jvrpc.samples.kv.rpc.KvWay;
import org.jvrpc.samples.kv.store.StoreResult;

/** Gets by jvRPC, one of its ways. */
public final class KvSampleClient implements ClientEnd {

    private final KvWay way;
    private final IdleStrategy idle;
    private KvClient client;

    /** A client. @param idle how it waits for calls */
    public KvSampleClient(KvWay way, IdleStrategy idle) {
        this.way = way;
        // Where gets need no calls, a thread that polls for their answers would take the reader's processor.
        this.idle = way == KvWay.RPC ? idle : IdleStrategy.ADAPTIVE;
    }

    @Override
    public void connect(String address, int index) {
        client = KvClient.connect(address, KvClient.Settings.of(way).withIdle(idle));
        for (int i = 0; i < KvData.KEYS; i++) {
            StoreResult result = client.set(KvData.key(i), KvData.value(i), 0, 0);
            if (result != StoreResult.STORED) {
                throw new IllegalStateException("key " + i + " is not stored: " + result);
            }
        }
    }

    private int get(int key, ByteBuffer into) {
        return client.get(KvData.key(key), into);
    }

    @Override
    public Operation operation(Workload workload) {
        return new KvGet(this::get);
    }

    /** Not calls at once, but a timeline of calls one after the other; with a window, calls at so many microseconds. */
    @Override
    public Pipeline pipeline() {
        KvGet get = new KvGet(this::get);
        Timeline timeline = new Timeline(get);
        PacedGets paced = new PacedGets(get);
        return (window, endNs) -> window == 1 ? timeline.run(window, endNs) : paced.run(window, endNs);
    }

    @Override
    public void close() {
        client.close();
    }
}
