package org.jvrpc.samples.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.samples.spring.orders.Order;
import org.jvrpc.samples.spring.orders.Orders;
import org.jvrpc.samples.spring.orders.RefusedException;
import org.jvrpc.samples.spring.server.ServerApplication;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** What Prometheus scrapes from the server, as with {@code run --metrics}. */
class ScrapeTest {

    private static final String COUNTED = "jvrpc_server_calls_total{";

    @Test
    void callsAreScraped() throws RefusedException {
        String address = SharedMemoryFolder.freshAddress();
        try (ConfigurableApplicationContext server = new SpringApplicationBuilder(ServerApplication.class)
                     .properties("spring.config.name=server")
                     .run("--jvrpc.server.addresses=" + address, "--spring.main.web-application-type=servlet",
                             "--server.address=127.0.0.1", "--server.port=0");
             RpcClient client = RpcClient.connect(address)) {
            Orders orders = client.stub(Orders.class);
            assertEquals(2, orders.find(orders.place(new Order("pears", 2))).pieces());
            URI scrape = URI.create("http://127.0.0.1:" + server.getEnvironment().getProperty("local.server.port")
                    + "/actuator/prometheus");
            String[] last = new String[1];
            Waits.until("both calls", () -> { // a server counts a call behind its answer
                last[0] = get(scrape);
                return counts("place", last[0]) && counts("find", last[0]);
            }, () -> last[0]);
            assertTrue(last[0].contains("rpc_server_call_duration_seconds"), last[0]);
        }
    }

    private static boolean counts(String method, String scraped) {
        String name = "rpc_method=\"" + Orders.class.getName() + "/" + method + "\"";
        return scraped.lines()
                .anyMatch(line -> line.startsWith(COUNTED) && line.contains(name) && !line.endsWith(" 0.0"));
    }

    private static String get(URI from) {
        try {
            return HttpClient.newHttpClient().send(
                    HttpRequest.newBuilder(from).timeout(Duration.ofSeconds(60)).build(),
                    HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new AssertionError("GET " + from, e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted at " + from, e);
        }
    }
}
