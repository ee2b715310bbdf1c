package org.jvrpc.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.runtime.counters.totals.MethodTotals;
import org.jvrpc.runtime.counters.totals.Totals;

/** The meters that one registry has: those of what is counted now, each registered when it first is. One thread. */
final class MeterSet {

    private static final double[] PERCENTILES = {0.5, 0.9, 0.99, 0.999};
    private static final double HUNDRED = 100;

    private final MeterRegistry registry;
    private final JvrpcMetrics metrics;
    private final boolean durations;
    private final Trouble trouble;
    private final Map<Totals.Key, Map<String, Meter>> meters = new HashMap<>();

    /** @param durations true where the registry has them from here, and not from somewhere else */
    MeterSet(MeterRegistry registry, JvrpcMetrics metrics, boolean durations, Trouble trouble) {
        this.registry = registry;
        this.metrics = metrics;
        this.durations = durations;
        this.trouble = trouble;
    }

    /** Registers what is new, and removes what is gone. */
    void update(Map<Totals.Key, Totals> now) {
        meters.entrySet().removeIf(entry -> {
            if (now.containsKey(entry.getKey())) {
                return false;
            }
            entry.getValue().values().forEach(this::remove);
            return true;
        });
        now.forEach(this::update);
    }

    void clear() {
        update(Map.of());
    }

    private void remove(Meter meter) {
        trouble.none("a registry of meters", () -> registry.remove(meter));
    }

    private void update(Totals.Key key, Totals totals) {
        Tags tags = Names.tags(key);
        EndpointCounters.Role role = key.role();
        for (Totals.Count count : Totals.Count.values()) {
            count(key, Names.own(role, count.meter()), null, tags, all -> all.get(count));
        }
        for (Totals.Level level : Totals.Level.values()) {
            keep(key, level.meter(), () -> Gauge.builder(
                    Names.own(role, level.meter()), metrics, all -> all.totals(key).get(level)).tags(tags)
                    .register(registry));
        }
        totals.methods().forEach((method, counters) -> update(key, method, counters));
    }

    private void update(Totals.Key key, String method, MethodTotals counters) {
        EndpointCounters.Role role = key.role();
        Tags tags = Names.tags(key).and(Names.METHOD, method);
        count(key, Names.own(role, "received"), "bytes", tags, all -> all.method(method).received());
        count(key, Names.own(role, "sent"), "bytes", tags, all -> all.method(method).sent());
        for (Status status : Status.values()) {
            if (counters.ended(status) > 0) {
                String error = status == Status.OK ? "" : status.name();
                count(key, Names.own(role, "calls"), null, tags.and(Names.STATUS, status.name(), Names.ERROR, error),
                        all -> all.method(method).ended(status));
            }
        }
        if (counters.thrown() > 0) {
            count(key, Names.own(role, "calls"), null,
                    tags.and(Names.STATUS, Status.OK.name(), Names.ERROR, MethodTotals.DECLARED),
                    all -> all.method(method).thrown());
        }
        if (durations && counters.latencies().count() > 0) { // frames of messages have none
            durations(key, method, tags);
        }
    }

    private void durations(Totals.Key key, String method, Tags tags) {
        String name = Names.duration(key.role());
        keep(key, name + tags, () -> FunctionTimer.builder(name, metrics,
                all -> all.totals(key).method(method).latencies().count(),
                all -> all.totals(key).method(method).latencies().totalNs(), TimeUnit.NANOSECONDS)
                .tags(tags).register(registry));
        for (double part : PERCENTILES) {
            keep(key, name + part + tags, () -> TimeGauge.builder(name + ".percentile", metrics, TimeUnit.NANOSECONDS,
                    all -> all.totals(key).method(method).latencies().percentileNs(part * HUNDRED))
                    .tags(tags.and("phi", Double.toString(part))).register(registry));
        }
    }

    private void count(Totals.Key key, String name, String unit, Tags tags, ToDoubleFunction<Totals> read) {
        keep(key, name + tags, () -> FunctionCounter.builder(name, metrics,
                all -> read.applyAsDouble(all.totals(key))).baseUnit(unit).tags(tags).register(registry));
    }

    /** Makes a meter that there is not yet. */
    private void keep(Totals.Key key, String name, Supplier<Meter> making) {
        Map<String, Meter> those = meters.computeIfAbsent(key, made -> new HashMap<>());
        if (!those.containsKey(name)) {
            trouble.none("a registry of meters", () -> those.put(name, making.get()));
        }
    }
}
