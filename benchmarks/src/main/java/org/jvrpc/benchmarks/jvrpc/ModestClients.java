package org.jvrpc.benchmarks.jvrpc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.HistogramFile;
import org.jvrpc.benchmarks.harness.LatencyLoop;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;

/**
 * Several clients of one server that ask seldom: one thread has them call in turn and sleeps in between. A pipeline's
 * window is the time of sleep in microseconds; what each call took goes to the {@link HistogramFile}.
 */
public final class ModestClients implements ClientEnd {

    /** How many there are. */
    public static final int CLIENTS = 9;

    private final List<JvrpcClient> clients = new ArrayList<>();
    private final Supplier<JvrpcClient> maker;

    /** @param maker makes each */
    public ModestClients(Supplier<JvrpcClient> maker) {
        this.maker = maker;
    }

    @Override
    public void connect(String address, int index) {
        for (int i = 0; i < CLIENTS; i++) {
            JvrpcClient client = maker.get();
            client.connect(address, i);
            clients.add(client);
        }
    }

    @Override
    public Operation operation(Workload workload) {
        return clients.get(0).operation(workload);
    }

    @Override
    public Pipeline pipeline() {
        List<Operation> calls = clients.stream().map(client -> client.operation(Workload.NULL)).toList();
        return (sleepUs, endNs) -> run(calls, TimeUnit.MICROSECONDS.toNanos(sleepUs), endNs);
    }

    private static long run(List<Operation> calls, long sleepNs, long endNs) throws Exception {
        Histogram histogram = LatencyLoop.histogram();
        for (int next = 0; System.nanoTime() < endNs; next = (next + 1) % calls.size()) {
            LockSupport.parkNanos(sleepNs);
            long startNs = System.nanoTime();
            calls.get(next).call();
            histogram.recordValue(Math.min(System.nanoTime() - startNs, LatencyLoop.MAX_NS));
        }
        HistogramFile.write(histogram);
        return histogram.getTotalCount();
    }

    @Override
    public void close() {
        clients.forEach(JvrpcClient::close);
    }
}
