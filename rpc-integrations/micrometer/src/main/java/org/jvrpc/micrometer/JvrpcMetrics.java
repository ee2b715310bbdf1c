package org.jvrpc.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jvrpc.runtime.counters.CounterSource;
import org.jvrpc.runtime.counters.Counters;
import org.jvrpc.runtime.counters.totals.Tally;
import org.jvrpc.runtime.counters.totals.Totals;

/**
 * The meters of this process's clients and servers:
 *
 * <pre>{@code
 * JvrpcMetrics metrics = new JvrpcMetrics();
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <p>A daemon thread reads the counters, by default each second, from the first registry that it is bound to until
 * {@link #close}, and registers meters of methods that were not there before; registries have what it read last. So no
 * call ever waits for a registry, or pays for one. Those of an address whose clients, or servers, are all closed are
 * removed; meanwhile sums do not fall.
 *
 * <table>
 * <caption>Meters; all have {@code rpc.system.name=jvrpc}, {@code server.address} and {@code server.port}</caption>
 * <tr><td>{@code rpc.client.call.duration}, {@code rpc.server.call.duration}</td><td>seconds, with {@code rpc.method}:
 *     histograms with a bucket for each power of two where the registry is Prometheus's and the one that is bound, not
 *     one in a composite; elsewhere count and sum, and gauges of percentiles, {@code ….percentile} with
 *     {@code phi}</td></tr>
 * <tr><td>{@code jvrpc.client.calls}, {@code jvrpc.server.calls}</td><td>with {@code rpc.method},
 *     {@code rpc.status_code} and {@code error.type}, which is empty for those that returned</td></tr>
 * <tr><td>{@code jvrpc.client.received}, {@code .sent} and of the server</td><td>bytes of bodies, with
 *     {@code rpc.method}</td></tr>
 * <tr><td>{@code .sessions}, {@code .slots}, {@code .credits}, {@code .calls.active}, {@code .calls.queued}</td>
 *     <td>gauges</td></tr>
 * <tr><td>{@code .sessions.opened}, {@code .reconnects}, {@code .connects.failed}, {@code .waits}, {@code .sleeps},
 *     {@code .calls.offloaded}</td><td>counters</td></tr>
 * </table>
 *
 * <p>Durations have no {@code rpc.status_code}: what is counted of them does not tell statuses apart. A method that the
 * server does not know is {@code _OTHER}. Any thread.
 */
public final class JvrpcMetrics implements MeterBinder, AutoCloseable {

    /** How often counters are read by default. */
    public static final Duration PERIOD = Duration.ofSeconds(1);

    private static final Totals NOTHING = new Totals();
    private static final String PROMETHEUS = "io.micrometer.prometheusmetrics.PrometheusMeterRegistry";

    private final CounterSource source;
    private final long periodMs;
    private final Trouble trouble = new Trouble();
    private final Tally tally = new Tally();
    private final List<MeterSet> sets = new ArrayList<>();
    private final List<AutoCloseable> histograms = new ArrayList<>();
    private volatile Map<Totals.Key, Totals> totals = Map.of();
    private Thread reader;
    private boolean closed;

    /** Of this process's counters, read each second. */
    public JvrpcMetrics() {
        this(Counters.own(), PERIOD);
    }

    /**
     * Of counters of this process or another.
     *
     * @param period how often they are read, 10 ms to an hour
     * @throws IllegalArgumentException for another period
     */
    public JvrpcMetrics(CounterSource source, Duration period) {
        this.source = Objects.requireNonNull(source, "source");
        if (period.toMillis() < 10 || period.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("period must be 10 ms to an hour, period=" + period);
        }
        this.periodMs = period.toMillis();
    }

    /** @throws IllegalStateException when it is closed */
    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        if (closed) {
            throw new IllegalStateException("these metrics are closed, registry=" + registry);
        }
        boolean buckets = isPrometheus(registry) && trouble.none("a registry of meters",
                () -> histograms.add(new PrometheusHistograms(registry, this)));
        sets.add(new MeterSet(registry, this, !buckets, trouble));
        refresh();
        if (reader == null) {
            reader = new Thread(this::readUntilClosed, "jvrpc-metrics");
            reader.setDaemon(true);
            reader.start();
        }
    }

    /** By its name, as it need not be there. */
    private static boolean isPrometheus(MeterRegistry registry) {
        return registry.getClass().getName().equals(PROMETHEUS);
    }

    private synchronized void readUntilClosed() {
        while (!closed) {
            try {
                wait(periodMs);
            } catch (InterruptedException e) {
                return; // nobody but its owner's end interrupts it
            }
            refresh();
        }
    }

    /** Reads the counters now, and registers meters of what is new. */
    public synchronized void refresh() {
        if (closed) {
            return;
        }
        trouble.none("reading counters", () -> totals = tally.add(source.read().endpoints()));
        Map<Totals.Key, Totals> now = totals;
        sets.forEach(set -> trouble.none("a registry of meters", () -> set.update(now)));
    }

    /** Returns what was read last. */
    Map<Totals.Key, Totals> totals() {
        return totals;
    }

    Totals totals(Totals.Key key) {
        return totals.getOrDefault(key, NOTHING);
    }

    /** Removes all meters and ends the thread. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        notifyAll();
        sets.forEach(MeterSet::clear);
        for (AutoCloseable histogram : histograms) {
            trouble.none("a registry of meters", () -> {
                try {
                    histogram.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }
}
