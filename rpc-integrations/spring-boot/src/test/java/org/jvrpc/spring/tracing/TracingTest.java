package org.jvrpc.spring.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.opentelemetry.JvrpcTracing;
import org.jvrpc.spring.ImportJvrpcClients;
import org.jvrpc.spring.JvrpcClients;
import org.jvrpc.spring.config.CallTracing;
import org.jvrpc.spring.config.Causes;
import org.jvrpc.spring.orders.Contexts;
import org.jvrpc.spring.orders.Greeter;
import org.jvrpc.spring.orders.GreeterBean;
import org.jvrpc.testing.Waits;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

class TracingTest {

    /** Those that ended; they stay when the SDK that they are of ends. */
    private static final List<SpanData> SPANS = new CopyOnWriteArrayList<>();
    /** The spans that the application's interceptors of servers run in. */
    private static final List<String> AROUND = Collections.synchronizedList(new ArrayList<>());
    /** The same of clients. */
    private static final List<String> AROUND_CLIENTS = Collections.synchronizedList(new ArrayList<>());

    private static SdkTracerProvider provider() {
        return SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(new KeptSpans())).build();
    }

    private static final class KeptSpans implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> ended) {
            SPANS.addAll(ended);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportJvrpcClients(types = Greeter.class)
    static class Calls {
        @Bean
        ServerInterceptor ownOfServer() {
            return (call, next) -> {
                AROUND.add(Span.current().getSpanContext().getSpanId());
                next.proceed();
            };
        }

        @Bean
        ClientInterceptor ownOfClient() {
            return (call, next) -> {
                AROUND_CLIENTS.add(Span.current().getSpanContext().getSpanId());
                next.proceed();
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfBoot {
        @Bean
        SdkTracerProvider tracers() {
            return provider();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfTheApplication {
        @Bean
        OpenTelemetry openTelemetry() {
            return OpenTelemetrySdk.builder().setTracerProvider(provider()).build();
        }
    }

    /** An application that has its own tracing begins no traces. */
    @Configuration(proxyBeanMethods = false)
    static class OwnTracing {
        @Bean
        JvrpcTracing ownTracing(OpenTelemetry openTelemetry) {
            return JvrpcTracing.builder(openTelemetry).clientRoots(0).build();
        }
    }

    /** Of two none is meant more than the other. */
    @Configuration(proxyBeanMethods = false)
    static class OtherTracing {
        @Bean
        JvrpcTracing otherTracing(OpenTelemetry openTelemetry) {
            return JvrpcTracing.builder(openTelemetry).build();
        }
    }

    /** Of two this one is meant. */
    @Configuration(proxyBeanMethods = false)
    static class MainTracing {
        @Bean
        @Primary
        JvrpcTracing mainTracing(OpenTelemetry openTelemetry) {
            return JvrpcTracing.builder(openTelemetry).build();
        }
    }

    private final String address = Contexts.freshAddress();

    private ApplicationContextRunner contexts(Class<?>... more) {
        return Contexts.of(Calls.class, GreeterBean.class).withUserConfiguration(more)
                .withConfiguration(AutoConfigurations.of(
                        OpenTelemetrySdkAutoConfiguration.class, JvrpcTracingAutoConfiguration.class))
                .withPropertyValues("jvrpc.server.addresses=" + address, "jvrpc.clients.default.address=" + address);
    }

    @BeforeEach
    void forget() {
        SPANS.clear();
        AROUND.clear();
        AROUND_CLIENTS.clear();
    }

    private static void call(ApplicationContext context) {
        assertEquals("Hello, you",
                context.getBean(JvrpcClients.class).stub("default", Greeter.class).greet("you"));
        assertThat(AROUND).hasSize(1);
    }

    private static SpanData span(SpanKind kind) {
        Waits.until("the span of a " + kind,
                () -> SPANS.stream().anyMatch(span -> span.getKind() == kind));
        return SPANS.stream().filter(span -> span.getKind() == kind).findAny().orElseThrow();
    }

    private void isTraced(ApplicationContext context) {
        call(context);
        SpanData client = span(SpanKind.CLIENT);
        SpanData server = span(SpanKind.SERVER);
        assertEquals(Greeter.class.getName() + "/greet", client.getName());
        assertEquals(client.getName(), server.getName());
        assertEquals(client.getSpanId(), server.getParentSpanId());
        assertEquals(client.getTraceId(), server.getTraceId());
        for (SpanData each : List.of(client, server)) {
            assertEquals(address, "inproc://" + each.getAttributes().get(AttributeKey.stringKey("server.address")));
        }
        assertEquals(List.of(server.getSpanId()), AROUND, "own interceptors are in the span");
        assertEquals(List.of(client.getSpanId()), AROUND_CLIENTS, "those of clients, too");
    }

    @Test
    void callsAreTracedByTheOpenTelemetryOfBoot() {
        contexts(OfBoot.class).run(this::isTraced);
    }

    @Test
    void callsAreTracedByTheOpenTelemetryOfTheApplication() {
        contexts(OfTheApplication.class).run(this::isTraced);
    }

    @Test
    void propertiesSayWhatIsTraced() {
        contexts(OfTheApplication.class).withPropertyValues("jvrpc.tracing.client-roots=0",
                "jvrpc.tracing.server-roots=1.0", "jvrpc.tracing.logs=none").run(context -> {
                    call(context);
                    span(SpanKind.SERVER);
                    assertThat(SPANS).hasSize(1);
                });
        contexts(OfTheApplication.class).withPropertyValues("jvrpc.tracing.server-roots=1.5").run(context -> {
            InvalidConfigurationPropertyValueException failure =
                    Causes.of(context.getStartupFailure(), InvalidConfigurationPropertyValueException.class);
            assertEquals("jvrpc.tracing.server-roots", failure.getName());
            assertThat(failure.getReason()).contains("from 0 for none to 1 for all");
        });
    }

    @Test
    void theTracingOfTheApplicationGoesBeforeProperties() {
        contexts(OfTheApplication.class, OwnTracing.class).withPropertyValues("jvrpc.tracing.client-roots=1")
                .run(context -> {
                    assertThat(context).hasSingleBean(JvrpcTracing.class).hasSingleBean(CallTracing.class);
                    call(context);
                });
        assertThat(SPANS).isEmpty(); // all calls of the context have ended
    }

    @Test
    void nothingIsTracedWhereItIsNotWantedOrCannotBe() {
        contexts(OfBoot.class).withPropertyValues("jvrpc.tracing.enabled=false").run(context -> {
            assertThat(context).doesNotHaveBean(CallTracing.class);
            call(context);
        });
        assertThat(SPANS).isEmpty(); // all calls of the context have ended
        contexts(OfBoot.class).withClassLoader(new FilteredClassLoader("org.jvrpc.opentelemetry"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CallTracing.class));
        Contexts.of().withConfiguration(AutoConfigurations.of(JvrpcTracingAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CallTracing.class));
        AROUND.clear();
        contexts().withClassLoader(new FilteredClassLoader("io.opentelemetry")).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(CallTracing.class);
            call(context);
        });
    }

    @Test
    void ofTwoTracingsTheMainOneTracesAndNoneWhereThereIsNoSuch() {
        contexts(OfTheApplication.class, OwnTracing.class, OtherTracing.class).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(CallTracing.class);
            call(context);
        });
        assertThat(SPANS).isEmpty(); // all calls of the context have ended
        AROUND.clear();
        AROUND_CLIENTS.clear();
        contexts(OfTheApplication.class, OwnTracing.class, MainTracing.class).run(this::isTraced);
    }
}
