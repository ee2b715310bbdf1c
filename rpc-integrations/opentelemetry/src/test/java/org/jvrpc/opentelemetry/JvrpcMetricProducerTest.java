package org.jvrpc.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.net.URI;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.counters.CounterFileException;
import org.jvrpc.runtime.counters.CounterSource;
import org.jvrpc.runtime.counters.Counters;

/** What a reader of the SDK collects of the counters. */
class JvrpcMetricProducerTest extends TracedPair {

    private static final AttributeKey<String> ADDRESS = AttributeKey.stringKey("server.address");
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");
    private static final String ADD = Shop.class.getName() + "/add";
    private static final String FAIL = Shop.class.getName() + "/fail";

    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private SdkMeterProvider provider = providing(Counters.own());

    private SdkMeterProvider providing(CounterSource source) {
        return SdkMeterProvider.builder().registerMetricReader(reader)
                .registerMetricProducer(new JvrpcMetricProducer(source)).build();
    }

    @AfterEach
    void closeProvider() {
        provider.close();
    }

    private MetricData metric(String name) {
        Collection<MetricData> all = reader.collectAllMetrics();
        return all.stream().filter(metric -> metric.getName().equals(name)).findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " among " + all));
    }

    private static boolean isOf(PointData point, String server, String method) {
        return server.equals("inproc://" + point.getAttributes().get(ADDRESS))
                && (method == null || method.equals(point.getAttributes().get(METHOD)));
    }

    private List<LongPointData> sums(String name, String server, String method) {
        return metric(name).getLongSumData().getPoints().stream().filter(point -> isOf(point, server, method)).toList();
    }

    private List<HistogramPointData> durations(String side, String server, String method) {
        MetricData metric = metric("rpc." + side + ".call.duration");
        assertEquals("s", metric.getUnit());
        assertEquals("org.jvrpc", metric.getInstrumentationScopeInfo().getName());
        assertEquals(AggregationTemporality.CUMULATIVE, metric.getHistogramData().getAggregationTemporality());
        return metric.getHistogramData().getPoints().stream().filter(point -> isOf(point, server, method)).toList();
    }

    @Test
    void callsAreHistogramsAndSumsUnderTheConventionsNamesOnBothSides() {
        RpcServer server = serve(tracing());
        RpcClient client = connect(server, tracing());
        Shop shop = client.stub(Shop.class);
        for (int i = 0; i < 10; i++) {
            assertEquals(5, shop.add(2, 3));
        }
        assertThrows(RpcException.class, () -> shop.fail("NOT_FOUND"));
        for (String side : List.of("client", "server")) {
            until("calls of the " + side, () -> durations(side, server.address(), FAIL).size() == 1
                    && durations(side, server.address(), FAIL).get(0).getCount() == 1);
            HistogramPointData add = durations(side, server.address(), ADD).get(0);
            assertEquals(10, add.getCount());
            assertEquals("jvrpc", add.getAttributes().get(AttributeKey.stringKey("rpc.system.name")));
            assertTrue(add.getSum() > 0 && add.getStartEpochNanos() <= add.getEpochNanos(), add.toString());
            assertEquals(add.getBoundaries().size() + 1, add.getCounts().size());
            LongPointData ok = sums("jvrpc." + side + ".calls", server.address(), ADD).get(0);
            assertEquals(10, ok.getValue());
            assertEquals("OK", ok.getAttributes().get(AttributeKey.stringKey("rpc.status_code")));
            Attributes failed = sums("jvrpc." + side + ".calls", server.address(), FAIL).get(0).getAttributes();
            assertEquals("NOT_FOUND", failed.get(AttributeKey.stringKey("error.type")));
            assertEquals(80, sums("jvrpc." + side + (side.equals("client") ? ".sent" : ".received"),
                    server.address(), ADD).get(0).getValue());
            assertEquals(1, metric("jvrpc." + side + ".sessions").getLongGaugeData().getPoints().stream()
                    .filter(point -> isOf(point, server.address(), null)).findFirst().orElseThrow().getValue());
        }
    }

    @Test
    void sumsDoNotFallWhileAnotherClientOfTheAddressIsThere() {
        RpcServer server = serve(tracing());
        RpcClient first = connect(server, tracing());
        first.stub(Shop.class).add(1, 1);
        RpcClient second = connect(server, tracing());
        second.stub(Shop.class).add(1, 1);
        assertEquals(2, sums("jvrpc.client.calls", server.address(), ADD).get(0).getValue());
        first.close();
        assertEquals(2, sums("jvrpc.client.calls", server.address(), ADD).get(0).getValue());
        second.close();
        assertTrue(reader.collectAllMetrics().stream().filter(metric -> metric.getName().equals("jvrpc.client.calls"))
                .allMatch(metric -> metric.getLongSumData().getPoints().stream()
                        .noneMatch(point -> isOf(point, server.address(), ADD))));
    }

    @Test
    void whatAttributesDoNotTellApartIsOnePoint() {
        try (RpcServer server = RpcServer.builder().bind("tcp://127.0.0.1:0").service(Shop.class, impl).start();
                RpcClient plain = RpcClient.connect(server.address());
                RpcClient packed = RpcClient.connect(server.address() + "?compression=gzip")) {
            plain.stub(Shop.class).add(1, 1);
            packed.stub(Shop.class).add(1, 1);
            long port = URI.create(server.address()).getPort();
            List<LongPointData> calls = metric("jvrpc.client.calls").getLongSumData().getPoints().stream()
                    .filter(point -> point.getAttributes().asMap().containsValue(port)).toList();
            assertEquals(1, calls.size(), calls::toString);
            assertEquals(2, calls.get(0).getValue());
            for (MetricData metric : reader.collectAllMetrics()) {
                Set<Attributes> seen = new HashSet<>();
                metric.getData().getPoints().forEach(point ->
                        assertTrue(seen.add(point.getAttributes()), () -> metric.getName() + " twice: " + point));
            }
        }
    }

    @Test
    void countersThatCannotBeReadAreNoMetricsAndNoFailure() {
        provider.close();
        InMemoryMetricReader other = InMemoryMetricReader.create();
        provider = SdkMeterProvider.builder().registerMetricReader(other)
                .registerMetricProducer(new JvrpcMetricProducer(() -> {
                    throw new CounterFileException(CounterFileException.Reason.DEAD, "it is dead");
                })).build();
        assertEquals(List.of(), List.copyOf(other.collectAllMetrics()));
    }
}
