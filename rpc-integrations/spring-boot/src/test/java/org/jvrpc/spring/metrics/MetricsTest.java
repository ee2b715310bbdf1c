package org.jvrpc.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.Search;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.micrometer.JvrpcMetrics;
import org.jvrpc.spring.ImportJvrpcClients;
import org.jvrpc.spring.JvrpcClient;
import org.jvrpc.spring.orders.Contexts;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.GreeterBean;
import org.jvrpc.testing.Waits;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsEndpointAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class MetricsTest {

    @ImportJvrpcClients(types = Greeter.class)
    static class Calls {
        @JvrpcClient
        private Greeter greeter;
    }

    private static ApplicationContextRunner contexts() {
        String address = Contexts.freshAddress();
        return Contexts.of(Calls.class, GreeterBean.class)
                .withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
                        MetricsEndpointAutoConfiguration.class, JvrpcMetricsAutoConfiguration.class))
                .withPropertyValues("jvrpc.server.addresses=" + address, "jvrpc.clients.default.address=" + address);
    }

    @Test
    void callsAreCountedInTheApplicationsRegistry() {
        contexts().run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            for (int i = 0; i < 7; i++) {
                assertEquals("Hello, you", context.getBean(Calls.class).greeter.greet("you"));
            }
            for (String name : List.of("jvrpc.client.calls", "jvrpc.server.calls")) {
                Waits.until("seven calls of " + name, () -> count(registry, name) >= 7,
                        () -> registry.getMeters().stream().map(meter -> meter.getId().toString()).toList());
            }
        });
    }

    private static double count(MeterRegistry registry, String name) {
        return Search.in(registry).name(name).tag("rpc.method", Greeter.class.getName() + "/greet").functionCounters()
                .stream().mapToDouble(counter -> counter.count()).sum();
    }

    @Test
    void thereAreNoneWithoutARegistryOrTheModule() {
        Contexts.of().withConfiguration(AutoConfigurations.of(JvrpcMetricsAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(JvrpcMetrics.class));
        contexts().withClassLoader(new FilteredClassLoader("org.jvrpc.micrometer"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("jvrpcMetrics"));
    }
}
