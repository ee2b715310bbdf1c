package org.jvrpc.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.counters.Counters;

/** The meters that registries have of calls. */
class JvrpcMetricsTest extends CountedPair {

    private final MeterRegistry registry = new SimpleMeterRegistry();

    private static String host(RpcServer server) {
        return server.address().substring("inproc://".length());
    }

    private double calls(RpcServer server, String side, String method, String status, String error) {
        FunctionCounter counter = registry.find("jvrpc." + side + ".calls").tags("server.address", host(server),
                "rpc.method", SERVICE + "/" + method, "rpc.status_code", status, "error.type", error,
                "rpc.system.name", "jvrpc", "server.port", "").functionCounter();
        return counter == null ? 0 : counter.count();
    }

    private void awaitCalls(JvrpcMetrics metrics, double count, RpcServer server, String side, String... how)
            throws Exception {
        until(String.join(" ", how) + " of the " + side, () -> {
            metrics.refresh();
            return calls(server, side, how[0], how[1], how[2]) == count;
        });
    }

    @Test
    void callsAreCountedByTheirEndsAtBothSides() throws Exception {
        RpcServer server = serve();
        Shop shop = connect(server).stub(Shop.class);
        JvrpcMetrics metrics = metrics();
        metrics.bindTo(registry);
        for (int i = 0; i < 7; i++) {
            shop.add(i, 1);
        }
        assertThrows(RpcException.class, () -> shop.fail("NOT_FOUND"));
        assertThrows(Shop.SoldOutException.class, () -> shop.fail("declared"));
        for (String side : List.of("client", "server")) {
            awaitCalls(metrics, 7, server, side, "add", "OK", "");
            awaitCalls(metrics, 1, server, side, "fail", "NOT_FOUND", "NOT_FOUND");
            awaitCalls(metrics, 1, server, side, "fail", "OK", "declared_exception");
        }
        shop.echo(new byte[1000]); // a method that is called later
        awaitCalls(metrics, 1, server, "server", "echo", "OK", "");
        FunctionCounter received = registry.find("jvrpc.server.received").tags("rpc.method", SERVICE + "/echo",
                "server.address", host(server)).functionCounter();
        assertTrue(received.count() >= 1000, "bytes=" + received.count());
        assertEquals("bytes", received.getId().getBaseUnit());
    }

    @Test
    void durationsAndLevelsAreThere() throws Exception {
        RpcServer server = serve();
        Shop shop = connect(server).stub(Shop.class);
        JvrpcMetrics metrics = metrics();
        metrics.bindTo(registry);
        for (int i = 0; i < 2000; i++) {
            shop.add(i, 1);
        }
        awaitCalls(metrics, 2000, server, "client", "add", "OK", "");
        FunctionTimer timer = registry.find("rpc.client.call.duration").tag("server.address", host(server))
                .functionTimer();
        assertTrue(timer.count() > 0 && timer.totalTime(TimeUnit.NANOSECONDS) > 0, "count=" + timer.count());
        Gauge median = registry.find("rpc.client.call.duration.percentile").tags("phi", "0.5", "server.address",
                host(server)).gauge();
        assertTrue(median.value() > 0 && median.value() < 10, "seconds=" + median.value());
        for (String level : List.of("client.sessions", "client.slots", "server.credits", "server.sessions")) {
            Gauge gauge = registry.find("jvrpc." + level).tag("server.address", host(server)).gauge();
            assertTrue(gauge.value() >= (level.endsWith("sessions") ? 1 : 0), level + "=" + gauge.value());
        }
        assertEquals(1, registry.find("jvrpc.client.sessions.opened").tag("server.address", host(server))
                .functionCounter().count());
    }

    @Test
    void sumsDoNotFallWhenOneOfSeveralClientsClosesAndGoWithTheLast() throws Exception {
        RpcServer server = serve();
        JvrpcMetrics metrics = metrics();
        metrics.bindTo(registry);
        RpcClient one = connect(server);
        RpcClient other = connect(server);
        one.stub(Shop.class).add(1, 2);
        other.stub(Shop.class).add(1, 2);
        other.stub(Shop.class).add(1, 2);
        awaitCalls(metrics, 3, server, "client", "add", "OK", "");
        one.close();
        metrics.refresh();
        assertEquals(3, calls(server, "client", "add", "OK", ""));
        other.stub(Shop.class).add(1, 2);
        awaitCalls(metrics, 4, server, "client", "add", "OK", "");
        other.close();
        until("the meters to go", () -> {
            metrics.refresh();
            return registry.find("jvrpc.client.calls").tag("server.address", host(server)).meters().isEmpty();
        });
        assertTrue(registry.find("jvrpc.client.sessions").tag("server.address", host(server)).meters().isEmpty());
        awaitCalls(metrics, 4, server, "server", "add", "OK", "");
    }

    @Test
    void aRegistryThatThrowsCostsNeitherCallsNorOtherRegistries() throws Exception {
        RpcServer server = serve();
        Shop shop = connect(server).stub(Shop.class);
        JvrpcMetrics metrics = metrics();
        MeterRegistry bad = new SimpleMeterRegistry();
        bad.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                throw new IllegalStateException("planted");
            }
        });
        metrics.bindTo(bad);
        metrics.bindTo(registry);
        assertEquals(3, shop.add(1, 2));
        awaitCalls(metrics, 1, server, "client", "add", "OK", "");
        assertEquals(List.of(), bad.getMeters());
    }

    @Test
    void countersThatCannotBeReadAnyMoreStayAsTheyWere() throws Exception {
        RpcServer server = serve();
        boolean[] dead = new boolean[1];
        JvrpcMetrics metrics = keep(new JvrpcMetrics(() -> {
            if (dead[0]) {
                throw new IllegalStateException("planted");
            }
            return Counters.own().read();
        }, Duration.ofHours(1)));
        metrics.bindTo(registry);
        connect(server).stub(Shop.class).add(1, 2);
        awaitCalls(metrics, 1, server, "client", "add", "OK", "");
        dead[0] = true;
        metrics.refresh();
        assertEquals(1, calls(server, "client", "add", "OK", ""));
    }

    @Test
    void itsThreadReadsByItselfAndClosingRemovesAllMeters() throws Exception {
        RpcServer server = serve();
        JvrpcMetrics metrics = keep(new JvrpcMetrics(Counters.own(), Duration.ofMillis(10)));
        metrics.bindTo(registry);
        connect(server).stub(Shop.class).add(1, 2);
        until("the thread to read", () -> calls(server, "server", "add", "OK", "") == 1);
        assertNotNull(registry.find("jvrpc.server.sessions").gauge());
        metrics.close();
        assertNull(registry.find("jvrpc.server.sessions").gauge());
        assertEquals(List.of(), registry.getMeters());
        assertThrows(IllegalStateException.class, () -> metrics.bindTo(registry));
    }

    @Test
    void periodsOutsideTheirRangeAreRefused() {
        for (Duration period : List.of(Duration.ZERO, Duration.ofMillis(9), Duration.ofHours(2))) {
            String message = assertThrows(IllegalArgumentException.class, () ->
                    new JvrpcMetrics(Counters.own(), period)).getMessage();
            assertTrue(message.endsWith("period=" + period), message);
        }
    }
}
