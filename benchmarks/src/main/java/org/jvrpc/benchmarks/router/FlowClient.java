package org.jvrpc.benchmarks.router;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;

/**
 * Tenants of one process that WRITE as fast as their router lets them: each has its queue full all the time. One thread
 * fills the queues, and sleeps while they are full, so that it is the router whose time they want. How many WRITEs a
 * second each made goes to a file in the first tenant's folder.
 */
public final class FlowClient implements ClientEnd {

    private static final String RATES = "rates";
    private static final long NAP_NS = 50_000;
    /** What is made before is not counted: what a tenant may keep of its rate while it rests goes first. */
    private static final long LEAD_NS = 200_000_000;

    private final List<String> tenants;
    private final int bytes;
    private final int depth;
    private final int length;
    private FlowEnd[] flows;
    private Path rates;

    /** @param bytes of each WRITE @param depth as many of a tenant are under way @param length see {@link FlowEnd} */
    FlowClient(List<String> tenants, int bytes, int depth, int length) {
        this.tenants = tenants;
        this.bytes = bytes;
        this.depth = depth;
        this.length = length;
    }

    @Override
    public void connect(String address, int index) {
        String folder = address.substring(address.indexOf("dir=") + 4).replaceAll("&.*", "");
        rates = Path.of(folder).resolveSibling(tenants.get(0)).resolve(RATES);
        flows = tenants.stream().map(tenant -> new FlowEnd(TenantServer.writes(address, tenant), bytes, depth, length))
                .toArray(FlowEnd[]::new);
    }

    @Override
    public Operation operation(Workload workload) {
        throw workload.unsupported();
    }

    @Override
    public Pipeline pipeline() {
        return (window, endNs) -> run(endNs);
    }

    private long run(long endNs) throws IOException {
        long[] made = new long[flows.length];
        long begunNs = System.nanoTime();
        boolean begun = false;
        long nowNs = begunNs;
        while (nowNs < endNs) {
            boolean worked = false;
            if (!begun && nowNs - begunNs > LEAD_NS) {
                begun = true;
                begunNs = nowNs;
                Arrays.fill(made, 0);
            }
            for (int i = 0; i < flows.length; i++) {
                while (flows[i].post()) {
                    worked = true;
                }
                for (int found = flows[i].reap(); found > 0; found = flows[i].reap()) {
                    made[i] += found;
                    worked = true;
                }
            }
            if (!worked) {
                LockSupport.parkNanos(NAP_NS);
            }
            nowNs = System.nanoTime();
        }
        double seconds = (nowNs - begunNs) / 1e9;
        Files.writeString(rates, Arrays.stream(made).mapToObj(count -> Double.toString(count / seconds))
                .collect(Collectors.joining("\n")));
        return Arrays.stream(made).sum();
    }

    /** Returns how many a second each tenant made in the last run. @param folder of the contender */
    public static List<Double> rates(Path folder, String firstTenant) throws IOException {
        Path tenants = RouterPlace.tenant(folder, RouterContenders.CLIENT).getParent();
        return Files.readAllLines(tenants.resolve(firstTenant).resolve(RATES)).stream().map(Double::valueOf)
                .toList();
    }

    @Override
    public void close() {
        for (FlowEnd flow : flows) {
            flow.close();
        }
    }
}
