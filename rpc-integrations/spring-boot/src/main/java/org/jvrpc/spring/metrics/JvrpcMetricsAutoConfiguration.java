package org.jvrpc.spring.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import org.jvrpc.micrometer.JvrpcMetrics;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The meters of {@link JvrpcMetrics}, where {@code jvrpc-micrometer} is on the class path and the application has a
 * registry. They are of the process: of all its contexts, and of clients and servers that no context has.
 */
@AutoConfiguration(afterName =
    "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(name = {
    "org.jvrpc.micrometer.JvrpcMetrics", "io.micrometer.core.instrument.MeterRegistry"})
public final class JvrpcMetricsAutoConfiguration {

    /** Looked at only where the classes of its condition are there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(MeterRegistry.class)
    static class Meters {

        @Bean
        @ConditionalOnMissingBean
        JvrpcMetrics jvrpcMetrics() {
            return new JvrpcMetrics();
        }
    }
}
