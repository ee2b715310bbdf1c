package org.jvrpc.benchmarks.jvrpc;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import org.jvrpc.opentelemetry.JvrpcTracing;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Tracing of both ends, as a property of their processes says: of all calls, or of hardly any. */
public enum Telemetry {
    /** The interceptors are there, and take one call in a thousand million. */
    OUT(1e-9),
    /** Each call has a span at both ends, which nobody exports. */
    ALL(1);

    /** Names one of these; without it there are no interceptors. */
    public static final String PROPERTY = "jvrpc.bench.tracing";

    private final double part;

    Telemetry(double part) {
        this.part = part;
    }

    private static JvrpcTracing chosen() {
        String name = System.getProperty(PROPERTY);
        if (name == null) {
            return null;
        }
        double part = valueOf(name).part;
        return JvrpcTracing.builder(OpenTelemetrySdk.builder().setTracerProvider(SdkTracerProvider.builder().build())
                .build()).clientRoots(part).serverRoots(part).build();
    }

    static void add(RpcServer.Builder server, String address) {
        JvrpcTracing tracing = chosen();
        if (tracing != null) {
            server.intercept(tracing.server(address));
        }
    }

    static void add(RpcClient.Builder client, String address) {
        JvrpcTracing tracing = chosen();
        if (tracing != null) {
            client.intercept(tracing.client(address));
        }
    }
}
