package org.jvrpc.spring.tracing;

import io.opentelemetry.api.OpenTelemetry;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.opentelemetry.JvrpcTracing;
import org.jvrpc.opentelemetry.LogContext;
import org.jvrpc.spring.client.JvrpcClientAutoConfiguration;
import org.jvrpc.spring.config.CallTracing;
import org.jvrpc.spring.config.JvrpcProperties;
import org.jvrpc.spring.config.TracingProperties;
import org.jvrpc.spring.server.JvrpcServerAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Traces the calls of a context's servers and clients, where {@code jvrpc-opentelemetry} is on the class path and the
 * application has an {@link OpenTelemetry}: Boot's, that of Micrometer Tracing's bridge, which is the same, or its own.
 * An application's own {@link JvrpcTracing} takes the place of the properties; of several, the primary one, and
 * where none is, nothing is traced.
 */
@AutoConfiguration(
        before = {JvrpcServerAutoConfiguration.class, JvrpcClientAutoConfiguration.class},
        afterName = "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration")
@ConditionalOnClass(name = {"org.jvrpc.opentelemetry.JvrpcTracing", "io.opentelemetry.api.OpenTelemetry"})
@ConditionalOnBooleanProperty(name = "jvrpc.tracing.enabled", matchIfMissing = true)
@EnableConfigurationProperties(JvrpcProperties.class)
public final class JvrpcTracingAutoConfiguration {

    /** Looked at only where the classes of its condition are there. */
    @Configuration(proxyBeanMethods = false)
    static class Interceptors {

        @Bean
        @ConditionalOnSingleCandidate(OpenTelemetry.class)
        @ConditionalOnMissingBean
        JvrpcTracing jvrpcTracing(OpenTelemetry openTelemetry, JvrpcProperties properties) {
            TracingProperties tracing = properties.tracing();
            return JvrpcTracing.builder(openTelemetry)
                    .clientRoots(tracing.clientRoots())
                    .serverRoots(tracing.serverRoots())
                    .propagateUnsampled(tracing.propagateUnsampled())
                    .logs(LogContext.valueOf(tracing.logs().name()))
                    .build();
        }

        @Bean
        @ConditionalOnSingleCandidate(JvrpcTracing.class)
        CallTracing jvrpcCallTracing(JvrpcTracing tracing) {
            return new CallTracing() {
                @Override
                public ClientInterceptor client(String address) {
                    return tracing.client(address);
                }

                @Override
                public ServerInterceptor server(String address) {
                    return tracing.server(address);
                }
            };
        }
    }
}
