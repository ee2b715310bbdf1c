package org.jvrpc.tools.watch.rperf;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.rperf.LoadPattern;
import org.jvrpc.watch.rperf.RperfResult;
import org.jvrpc.watch.rperf.control.ControlClient;
import org.jvrpc.watch.rperf.control.Order;

/** Has agents measure, all at once, from here. One thread. */
final class DrivenRun {

    private static final long LOOK_MS = 100;
    /** Beyond what an agent was told: for its start and its last messages. */
    private static final long SLACK_NS = 30_000_000_000L;

    private final ProbeKeys keys;
    private final PrintWriter err;

    DrivenRun(ProbeKeys keys, PrintWriter err) {
        this.keys = keys;
        this.err = err;
    }

    /** Returns the address of an agent's device. */
    String device(Control agent) throws IOException {
        try (ControlClient client = ControlClient.connect(agent.host(), agent.port(), keys)) {
            String device = client.device();
            if (device == null) {
                throw new IOException(client.name() + " has no device");
            }
            return device;
        }
    }

    /** Measures each pattern from all agents at a time; results are named after the agents. */
    List<RperfResult> run(List<Control> from, String to, LoadOptions load, List<LoadPattern> patterns)
            throws IOException {
        List<RperfResult> results = new ArrayList<>();
        List<ControlClient> clients = new ArrayList<>();
        try {
            for (Control agent : from) {
                ControlClient client = ControlClient.connect(agent.host(), agent.port(), keys);
                clients.add(client);
                client.device(); // proves the key: the agent waits for longer then
            }
            for (LoadPattern pattern : patterns) {
                Order order = new Order(to, load.qps(), !load.isBandwidth(), pattern, load.warmUpNs(),
                        load.durationNs(), load.levels());
                for (ControlClient client : clients) {
                    client.prepare(order);
                }
                for (ControlClient client : clients) {
                    client.start();
                }
                await(clients, order).forEach(result -> results.add(load.named(result)));
            }
            return results;
        } finally {
            for (ControlClient client : clients) {
                client.close();
            }
        }
    }

    private List<RperfResult> await(List<ControlClient> clients, Order order) throws IOException {
        RperfResult[] results = new RperfResult[clients.size()];
        long beginNs = System.nanoTime();
        long longestNs = order.warmUpNs() + order.durationNs() + SLACK_NS;
        boolean terminal = System.console() != null;
        for (int missing = results.length; missing > 0;) {
            missing = 0;
            for (int i = 0; i < results.length; i++) {
                results[i] = results[i] == null ? clients.get(i).result() : results[i];
                missing += results[i] == null ? 1 : 0;
            }
            long tookNs = System.nanoTime() - beginNs;
            if (missing > 0 && tookNs > longestNs) {
                throw new IOException(missing + " of " + results.length + " agents do not end within "
                        + longestNs / 1_000_000_000L + " s");
            }
            if (missing > 0) {
                if (terminal) {
                    err.print("\r" + order.pattern().bytes() + " B: " + tookNs / 1_000_000_000L + " s ");
                    err.flush();
                }
                pause();
            }
        }
        if (terminal) {
            err.print("\r\033[K");
            err.flush();
        }
        return List.of(results);
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
