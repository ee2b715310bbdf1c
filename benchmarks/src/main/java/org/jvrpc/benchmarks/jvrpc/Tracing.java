package org.jvrpc.benchmarks.jvrpc;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import org.jvrpc.opentelemetry.JvrpcTracing;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** What needs the SDK's classes: a class of its own, as tenants behind walls do not have them. */
final class Tracing {

    private Tracing() {
    }

    /** Hears of no span; without any processor the SDK makes none. */
    private static final class Deaf implements SpanProcessor {

        @Override
        public void onStart(Context parent, ReadWriteSpan span) {
        }

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
        }

        @Override
        public boolean isEndRequired() {
            return false;
        }
    }

    private static JvrpcTracing of(double part) {
        SdkTracerProvider spans = SdkTracerProvider.builder().addSpanProcessor(new Deaf()).build();
        return JvrpcTracing.builder(OpenTelemetrySdk.builder().setTracerProvider(spans).build())
                .clientRoots(part).serverRoots(part).build();
    }

    static void add(RpcServer.Builder server, String address, double part) {
        server.intercept(of(part).server(address));
    }

    static void add(RpcClient.Builder client, String address, double part) {
        client.intercept(of(part).client(address));
    }
}
