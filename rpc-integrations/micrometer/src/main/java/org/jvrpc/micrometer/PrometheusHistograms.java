package org.jvrpc.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.runtime.counters.LatencyHistogram;
import org.jvrpc.runtime.counters.totals.Totals;

/**
 * How long calls took, as histograms of Prometheus: a bucket for each power of two, from 64 ns to 69 s. Micrometer has
 * no histogram whose buckets are polled, but its registry for Prometheus has one of Prometheus beneath it. Any thread.
 */
final class PrometheusHistograms implements MultiCollector, AutoCloseable {

    private static final int FIRST_POWER = 6;
    private static final int LAST_POWER = 36;
    private static final double NS_PER_S = 1e9;

    private final PrometheusMeterRegistry registry;
    private final JvrpcMetrics metrics;

    /** @param registry one for Prometheus */
    PrometheusHistograms(MeterRegistry registry, JvrpcMetrics metrics) {
        this.registry = (PrometheusMeterRegistry) registry;
        this.metrics = metrics;
        this.registry.getPrometheusRegistry().register(this);
    }

    @Override
    public MetricSnapshots collect() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        Map<Totals.Key, Totals> now = metrics.totals();
        for (EndpointCounters.Role role : EndpointCounters.Role.values()) {
            HistogramSnapshot.Builder histogram = HistogramSnapshot.builder()
                    .name(Names.duration(role).replace('.', '_') + "_seconds").help("Durations of calls");
            boolean[] any = new boolean[1];
            now.forEach((key, totals) -> {
                if (key.role() == role) {
                    totals.methods().forEach((method, counters) -> {
                        if (counters.latencies().count() > 0) { // frames of messages have none
                            histogram.dataPoint(point(labels(key, method), counters.latencies()));
                            any[0] = true;
                        }
                    });
                }
            });
            if (any[0]) {
                all.metricSnapshot(histogram.build());
            }
        }
        return all.build();
    }

    private Labels labels(Totals.Key key, String method) {
        Labels[] labels = {Labels.EMPTY};
        Names.tags(key).and(Names.METHOD, method).forEach(tag ->
                labels[0] = labels[0].add(registry.config().namingConvention().tagKey(tag.getKey()), tag.getValue()));
        return labels[0];
    }

    private static HistogramSnapshot.HistogramDataPointSnapshot point(Labels labels, LatencyHistogram latencies) {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        long[] counts = latencies.byPowerOfTwo(FIRST_POWER, LAST_POWER);
        for (int power = FIRST_POWER; power <= LAST_POWER; power++) {
            buckets.bucket((1L << power) / NS_PER_S, counts[power - FIRST_POWER]);
        }
        buckets.bucket(Double.POSITIVE_INFINITY, counts[counts.length - 1]);
        return HistogramSnapshot.HistogramDataPointSnapshot.builder().labels(labels)
                .classicHistogramBuckets(buckets.build()).sum(latencies.totalNs() / NS_PER_S).build();
    }

    @Override
    public void close() {
        registry.getPrometheusRegistry().unregister(this);
    }
}
