package org.jvrpc.spring.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.spring.ImportJvrpcClients;
import org.jvrpc.spring.JvrpcClients;
import org.jvrpc.spring.JvrpcServers;
import org.jvrpc.spring.orders.Contexts;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.GreeterBean;
import org.jvrpc.testing.Waits;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What operators see by HTTP of an application as it is: with a web server, and another of the actuator's. */
class HttpTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    /** Once or more: meters are of the process, which other tests may share. */
    private static final Pattern COUNTED = Pattern.compile("\"statistic\":\"COUNT\",\"value\":[1-9]");
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static ConfigurableApplicationContext application;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @ImportJvrpcClients(types = Greeter.class)
    @Import(GreeterBean.class)
    static class Application {
    }

    @BeforeAll
    static void start() {
        String address = Contexts.freshAddress();
        application = new SpringApplicationBuilder(Application.class).run(
                "--spring.main.web-application-type=servlet", "--server.port=0", "--management.server.port=0",
                "--management.server.address=127.0.0.1", "--server.address=127.0.0.1",
                "--management.endpoints.web.exposure.include=health,metrics,prometheus",
                "--management.endpoint.health.show-details=always",
                "--jvrpc.server.addresses=" + address, "--jvrpc.clients.default.address=" + address);
        Greeter greeter = application.getBean(JvrpcClients.class).stub("default", Greeter.class);
        assertEquals("Hello, you", greeter.greet("you"));
    }

    @AfterAll
    static void stop() {
        if (application != null) {
            application.close();
        }
    }

    private static HttpResponse<String> get(String path) {
        String port = application.getEnvironment().getProperty("local.management.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/" + path))
                .timeout(LONG).build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("GET " + request.uri(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted at " + request.uri(), e);
        }
    }

    /** Servers count a call behind its answer. */
    private static String until(String path, Predicate<String> hasCome) {
        HttpResponse<?>[] last = new HttpResponse<?>[1];
        Waits.until(path, () -> {
            last[0] = get(path);
            return last[0].statusCode() == 200 && hasCome.test((String) last[0].body());
        }, () -> last[0] + " " + (last[0] == null ? "" : last[0].body()));
        return (String) last[0].body();
    }

    @Test
    void healthHasServersAndClients() {
        HttpResponse<String> up = get("health");
        assertEquals(200, up.statusCode());
        assertThat(up.body()).contains("\"jvrpcServers\":{\"details\":{\"address-0\":{", "\"status\":\"SERVING\"",
                "\"jvrpcClients\"", "\"connection\":\"CONNECTED\"");
        assertEquals(200, get("health/jvrpcServers").statusCode());
        RpcServer server = application.getBean(JvrpcServers.class).running().get("address-0");
        AvailabilityChangeEvent.publish(application, ReadinessState.REFUSING_TRAFFIC);
        HttpResponse<String> refusing = get("health/jvrpcServers");
        assertEquals(503, refusing.statusCode(), refusing::body);
        assertThat(refusing.body()).contains("OUT_OF_SERVICE", "NOT_SERVING", server.address());
        AvailabilityChangeEvent.publish(application, ReadinessState.ACCEPTING_TRAFFIC);
        assertEquals(200, get("health/jvrpcServers").statusCode());
    }

    @Test
    void metricsHaveCallsByTheirMethods() {
        assertThat(get("metrics").body()).contains("\"jvrpc.server.calls\"", "\"jvrpc.client.calls\"");
        String tag = "?tag=rpc.method:" + Greeter.class.getName() + "/greet";
        for (String name : new String[] {"jvrpc.client.calls", "jvrpc.server.calls"}) {
            until("metrics/" + name + tag, COUNTED.asPredicate());
        }
        assertEquals(404, get("metrics/rpc.server.nothing").statusCode());
    }

    @Test
    void prometheusScrapesThem() {
        String line = "rpc_method=\"" + Greeter.class.getName() + "/greet\"";
        String all = until("prometheus", body -> body.lines().anyMatch(
                each -> each.startsWith("jvrpc_server_calls_total{") && each.contains(line) && !each.endsWith(" 0.0")));
        assertThat(all).contains("rpc_server_call_duration_seconds");
    }
}
