package org.jvrpc.benchmarks.redn;

import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.offload.lookup.HostedClient;
import org.jvrpc.offload.lookup.LookupKind;

/** Counts the WRs that a lookup executes, with host and client in this process. */
public final class LookupWrs {

    private static final long TIMEOUT_NS = 5_000_000_000L;

    private LookupWrs() {
    }

    /** Returns how many WRs a lookup takes, in the mean over all places. */
    public static double mean(LookupKind kind) throws Exception {
        try (LookupServer server = new LookupServer(kind); LookupClient client = new LookupClient()) {
            String address = "shm://bench-wrs-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
            client.connect(server.start(address), 0);
            HostedClient hosted = hosted(server);
            boolean isWalk = kind == LookupKind.LIST_WALK || kind == LookupKind.LIST_WALK_BREAK;
            int places = isWalk ? LookupData.NODES : 2;
            long before = hosted.executed();
            int rounds = 16;
            for (int place = 1; place <= places; place++) {
                Operation lookup = client.operation(Workload.lookup(place));
                for (int i = 0; i < rounds; i++) {
                    lookup.before();
                    lookup.call();
                    lookup.after();
                }
            }
            return (double) (hosted.executed() - before) / (places * rounds);
        }
    }

    private static HostedClient hosted(LookupServer server) {
        long endNs = System.nanoTime() + TIMEOUT_NS;
        while (server.host().clients().isEmpty()) {
            if (System.nanoTime() > endNs) {
                throw new IllegalStateException("the host has no client after " + TIMEOUT_NS + " ns");
            }
            Thread.onSpinWait();
        }
        return server.host().clients().get(0);
    }
}
