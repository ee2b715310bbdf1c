package org.jvrpc.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** What Prometheus gets from a process with a server and a client over TCP, by HTTP, against the calls made. */
class PrometheusScrapeTest extends CountedPair {

    private static final int CALLS = 500;
    private static final Pattern LINE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\",?");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private URI page;

    /** A line of the text, with its labels. */
    private record Sample(String name, Map<String, String> labels, double value) { }

    @BeforeEach
    void offer() throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/metrics", exchange -> {
            byte[] text = registry.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        http.start();
        keep(() -> http.stop(0));
        page = URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/metrics");
    }

    /** Returns the samples of a name with a label, of the server and the client at a port. */
    private Map<Map<String, String>, Double> scrape(String name, int port) throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(page).timeout(Duration.ofSeconds(30)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(200, response.statusCode(), response.body());
        Map<Map<String, String>, Double> found = new HashMap<>();
        response.body().lines().filter(line -> !line.startsWith("#")).map(PrometheusScrapeTest::parse)
                .filter(sample -> sample.name.equals(name))
                .filter(sample -> sample.labels.get("server_port").equals(Integer.toString(port)))
                .forEach(sample -> found.put(sample.labels, sample.value));
        return found;
    }

    private static Sample parse(String line) {
        Matcher matcher = LINE.matcher(line);
        assertTrue(matcher.matches(), line);
        Map<String, String> labels = new TreeMap<>();
        if (matcher.group(2) != null) {
            Matcher each = LABEL.matcher(matcher.group(2));
            int end = 0;
            while (each.find()) {
                labels.put(each.group(1), each.group(2));
                end = each.end();
            }
            assertEquals(matcher.group(2).length(), end, line);
        }
        return new Sample(matcher.group(1), labels, Double.parseDouble(matcher.group(3)));
    }

    private static double of(Map<Map<String, String>, Double> samples, String... labels) {
        return samples.entrySet().stream().filter(sample -> {
            boolean all = true;
            for (int i = 0; i < labels.length; i += 2) {
                all &= labels[i + 1].equals(sample.getKey().get(labels[i]));
            }
            return all;
        }).mapToDouble(Map.Entry::getValue).sum();
    }

    @Test
    void aScrapeHasTheCallsThatWereMade() throws Exception {
        RpcServer server = serve("tcp://127.0.0.1:0");
        int port = URI.create(server.address()).getPort();
        Shop shop = connect(server).stub(Shop.class);
        JvrpcMetrics metrics = metrics();
        metrics.bindTo(registry);
        for (int i = 0; i < CALLS; i++) {
            shop.add(i, 1);
        }
        assertThrows(RpcException.class, () -> shop.fail("ABORTED"));
        for (String side : new String[] {"client", "server"}) {
            until("calls of the " + side, () -> {
                metrics.refresh();
                return of(scrape("jvrpc_" + side + "_calls_total", port)) == CALLS + 1;
            });
            Map<Map<String, String>, Double> calls = scrape("jvrpc_" + side + "_calls_total", port);
            assertEquals(CALLS, of(calls, "rpc_method", SERVICE + "/add", "rpc_status_code", "OK", "error_type", "",
                    "server_address", "127.0.0.1", "rpc_system_name", "jvrpc"));
            assertEquals(1, of(calls, "rpc_method", SERVICE + "/fail", "rpc_status_code", "ABORTED", "error_type",
                    "ABORTED"));
            checkHistogram("rpc_" + side + "_call_duration_seconds", port);
        }
        assertEquals(1, of(scrape("jvrpc_server_sessions", port)));
        assertTrue(of(scrape("jvrpc_server_received_bytes_total", port)) >= 8 * CALLS);
        connectionIsGoneFromTheNextScrape(metrics, server, port);
    }

    @Test
    void clientsOfOneServerWhoseAddressesDifferInOptionsAreOfOneSample() throws Exception {
        RpcServer server = serve("tcp://127.0.0.1:0");
        int port = URI.create(server.address()).getPort();
        JvrpcMetrics metrics = metrics();
        metrics.bindTo(registry);
        RpcClient plain = connect(server);
        plain.stub(Shop.class).add(1, 1);
        RpcClient packed = keep(RpcClient.connect(server.address() + "?compression=gzip"));
        packed.stub(Shop.class).add(1, 1);
        metrics.refresh();
        for (String name : new String[] {"jvrpc_client_calls_total", "rpc_client_call_duration_seconds_count"}) {
            Map<Map<String, String>, Double> samples = scrape(name, port);
            assertEquals(1, samples.size(), samples::toString);
            assertEquals(2, of(samples), name);
        }
        assertEquals(2, of(scrape("jvrpc_client_sessions", port)));
        plain.close();
        metrics.refresh();
        assertEquals(2, of(scrape("jvrpc_client_calls_total", port)), "another client is there");
        assertEquals(1, of(scrape("jvrpc_client_sessions", port)));
    }

    private void checkHistogram(String name, int port) throws Exception {
        double count = of(scrape(name + "_count", port), "rpc_method", SERVICE + "/add");
        assertEquals(CALLS, count, name);
        double sum = of(scrape(name + "_sum", port), "rpc_method", SERVICE + "/add");
        assertTrue(sum > 0 && sum < 60 * CALLS, name + " sum=" + sum);
        TreeMap<Double, Double> buckets = new TreeMap<>();
        scrape(name + "_bucket", port).forEach((labels, value) -> {
            if (labels.get("rpc_method").endsWith("/add")) {
                buckets.put(labels.get("le").equals("+Inf") ? Double.POSITIVE_INFINITY
                        : Double.parseDouble(labels.get("le")), value);
            }
        });
        assertEquals(32, buckets.size(), buckets::toString);
        assertEquals(CALLS, buckets.lastEntry().getValue());
        double before = 0;
        double least = 0;
        Double edge = null;
        for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
            assertTrue(bucket.getValue() >= before, buckets::toString);
            if (edge != null && !Double.isInfinite(bucket.getKey())) {
                assertEquals(2, bucket.getKey() / edge, 1e-6);
                least += (bucket.getValue() - before) * edge;
            }
            before = bucket.getValue();
            edge = bucket.getKey();
        }
        assertTrue(sum >= least * 0.99 && sum <= least * 2.01 + CALLS * 64e-9, "sum=" + sum + " least=" + least);
    }

    private void connectionIsGoneFromTheNextScrape(JvrpcMetrics metrics, RpcServer server, int port)
            throws Exception {
        server.shutdown();
        until("the server to end", () -> {
            metrics.refresh();
            return scrape("jvrpc_server_calls_total", port).isEmpty()
                    && scrape("rpc_server_call_duration_seconds_count", port).isEmpty();
        });
    }
}
