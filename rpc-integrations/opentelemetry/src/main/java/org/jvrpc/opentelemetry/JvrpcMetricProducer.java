package org.jvrpc.opentelemetry;

import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jvrpc.runtime.counters.CounterSource;
import org.jvrpc.runtime.counters.Counters;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.runtime.counters.totals.Tally;
import org.jvrpc.runtime.counters.totals.Totals;
import org.jvrpc.runtime.thread.Clock;

/**
 * The metrics of this process's clients and servers, for the SDK's readers:
 *
 * <pre>{@code
 * SdkMeterProvider.builder().registerMetricReader(reader).registerMetricProducer(new JvrpcMetricProducer()).build();
 * }</pre>
 *
 * <p>Whenever a reader collects, the counters are read: no call ever waits for a reader, or pays for one. This needs
 * {@code opentelemetry-sdk-metrics}, as OpenTelemetry's API has no histogram whose buckets are read elsewhere. Views do
 * not apply, and sums are cumulative for whichever reader. Those of an address whose clients, or servers, are all
 * closed are gone; meanwhile sums do not fall.
 *
 * <table>
 * <caption>Metrics; all have {@code rpc.system.name=jvrpc}, {@code server.address} and {@code server.port}</caption>
 * <tr><td>{@code rpc.client.call.duration}, {@code rpc.server.call.duration}</td><td>histograms in seconds, with
 *     {@code rpc.method}; a bucket for each power of two, from 64 ns to 69 s</td></tr>
 * <tr><td>{@code jvrpc.client.calls}, {@code jvrpc.server.calls}</td><td>with {@code rpc.method},
 *     {@code rpc.status_code} and, of those that failed, {@code error.type}</td></tr>
 * <tr><td>{@code jvrpc.client.received}, {@code .sent} and of the server</td><td>bytes of bodies, with
 *     {@code rpc.method}</td></tr>
 * <tr><td>{@code .sessions}, {@code .slots}, {@code .credits}, {@code .calls.active}, {@code .calls.queued}</td>
 *     <td>gauges</td></tr>
 * <tr><td>{@code .sessions.opened}, {@code .reconnects}, {@code .connects.failed}, {@code .waits}, {@code .sleeps},
 *     {@code .calls.offloaded}</td><td>sums</td></tr>
 * </table>
 *
 * <p>Durations have no {@code rpc.status_code}: what is counted of them does not tell statuses apart. A method that the
 * server does not know is {@code _OTHER}. Counters that cannot be read are logged, and there are no metrics then. Any
 * thread.
 */
public final class JvrpcMetricProducer implements MetricProducer {

    private final CounterSource source;
    private final Tally tally = new Tally();
    /** When the first client or server of an address began to count. */
    private final Map<Totals.Key, Instant> since = new HashMap<>();

    /** Of this process's counters. */
    public JvrpcMetricProducer() {
        this(Counters.own());
    }

    /** Of counters of this process or another. */
    public JvrpcMetricProducer(CounterSource source) {
        this.source = Objects.requireNonNull(source, "source");
    }

    @Override
    public synchronized Collection<MetricData> produce(Resource resource) {
        try {
            List<EndpointCounters> endpoints = source.read().endpoints();
            Map<Totals.Key, Totals> totals = tally.add(endpoints);
            since.keySet().retainAll(totals.keySet());
            for (EndpointCounters endpoint : endpoints) {
                since.putIfAbsent(Totals.Key.of(endpoint), endpoint.madeAt());
            }
            MetricPoints points = new MetricPoints(Clock.epochMillis());
            totals.forEach((key, all) -> points.add(key, all, since.get(key).toEpochMilli()));
            return points.metrics(resource);
        } catch (RuntimeException e) {
            Trouble.log("reading counters for metrics", e);
            return List.of();
        }
    }
}
