package org.jvrpc.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.semconv.ErrorAttributes;
import io.opentelemetry.semconv.RpcAttributes;
import io.opentelemetry.semconv.ServerAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.counters.EndpointCounters.Role;
import org.jvrpc.runtime.counters.LatencyHistogram;
import org.jvrpc.runtime.counters.ServerAddress;
import org.jvrpc.runtime.counters.totals.MethodTotals;
import org.jvrpc.runtime.counters.totals.Totals;

/** The points of one collection, by their metrics' names. One thread. */
final class MetricPoints {

    private static final int FIRST_POWER = 6;
    private static final int LAST_POWER = 36;
    private static final double NS_PER_S = 1e9;
    private static final List<Double> BOUNDARIES = IntStream.rangeClosed(FIRST_POWER, LAST_POWER)
            .mapToObj(power -> (1L << power) / NS_PER_S).toList();

    private final long nowNs;
    private final Map<String, List<HistogramPointData>> durations = new TreeMap<>();
    private final Map<String, List<LongPointData>> sums = new TreeMap<>();
    private final Map<String, List<LongPointData>> gauges = new TreeMap<>();

    MetricPoints(long nowMs) {
        this.nowNs = TimeUnit.MILLISECONDS.toNanos(nowMs);
    }

    /** Adds what clients, or servers, of an address counted since then. */
    void add(Totals.Key key, Totals totals, long sinceMs) {
        Attributes of = attributes(key.address());
        long sinceNs = TimeUnit.MILLISECONDS.toNanos(sinceMs);
        for (Totals.Count count : Totals.Count.values()) {
            sum(own(key.role(), count.meter()), sinceNs, of, totals.get(count));
        }
        for (Totals.Level level : Totals.Level.values()) {
            gauges.computeIfAbsent(own(key.role(), level.meter()), name -> new ArrayList<>())
                    .add(LongPointData.create(nowNs, nowNs, of, totals.get(level)));
        }
        totals.methods().forEach((name, method) -> add(key.role(), sinceNs,
                of.toBuilder().put(RpcAttributes.RPC_METHOD, name).build(), method));
    }

    private void add(Role role, long sinceNs, Attributes of, MethodTotals method) {
        if (method.latencies().count() > 0) { // frames of messages have none
            durations.computeIfAbsent("rpc." + side(role) + ".call.duration", name -> new ArrayList<>())
                    .add(histogram(sinceNs, of, method.latencies()));
        }
        sum(own(role, "received"), sinceNs, of, method.received());
        sum(own(role, "sent"), sinceNs, of, method.sent());
        for (Status status : Status.values()) {
            if (method.ended(status) > 0) {
                calls(role, sinceNs, of, status, status == Status.OK ? null : status.name(), method.ended(status));
            }
        }
        if (method.thrown() > 0) {
            calls(role, sinceNs, of, Status.OK, MethodTotals.DECLARED, method.thrown());
        }
    }

    private void calls(Role role, long sinceNs, Attributes of, Status status, String error, long count) {
        AttributesBuilder more = of.toBuilder().put(RpcAttributes.RPC_STATUS_CODE, status.name());
        if (error != null) {
            more.put(ErrorAttributes.ERROR_TYPE, error);
        }
        sum(own(role, "calls"), sinceNs, more.build(), count);
    }

    private void sum(String name, long sinceNs, Attributes of, long value) {
        sums.computeIfAbsent(name, made -> new ArrayList<>()).add(LongPointData.create(sinceNs, nowNs, of, value));
    }

    private HistogramPointData histogram(long sinceNs, Attributes of, LatencyHistogram latencies) {
        return HistogramPointData.create(sinceNs, nowNs, of, latencies.totalNs() / NS_PER_S, false, 0, false, 0,
                BOUNDARIES, Arrays.stream(latencies.byPowerOfTwo(FIRST_POWER, LAST_POWER)).boxed().toList());
    }

    private static Attributes attributes(ServerAddress server) {
        AttributesBuilder of = Attributes.builder().put(RpcAttributes.RPC_SYSTEM_NAME, Spans.SYSTEM);
        if (server.address() != null) {
            of.put(ServerAttributes.SERVER_ADDRESS, server.address());
        }
        if (server.port() > 0) {
            of.put(ServerAttributes.SERVER_PORT, (long) server.port());
        }
        return of.build();
    }

    private static String side(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    private static String own(Role role, String what) {
        return "jvrpc." + side(role) + "." + what;
    }

    Collection<MetricData> metrics(Resource resource) {
        List<MetricData> all = new ArrayList<>();
        durations.forEach((name, points) -> all.add(new Metric(resource, name, "Durations of calls", "s",
                MetricDataType.HISTOGRAM, HistogramData.create(AggregationTemporality.CUMULATIVE, points))));
        sums.forEach((name, points) -> all.add(new Metric(resource, name, "", unit(name), MetricDataType.LONG_SUM,
                SumData.createLongSumData(true, AggregationTemporality.CUMULATIVE, points))));
        gauges.forEach((name, points) -> all.add(new Metric(resource, name, "", "1", MetricDataType.LONG_GAUGE,
                GaugeData.createLongGaugeData(points))));
        return all;
    }

    private static String unit(String name) {
        return name.endsWith(".received") || name.endsWith(".sent") ? "By" : "1";
    }
}
