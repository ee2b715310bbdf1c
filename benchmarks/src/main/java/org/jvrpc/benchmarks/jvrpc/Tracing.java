package org.jvrpc.benchmarks.jvrpc;

import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import org.jvrpc.opentelemetry.JvrpcTracing;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** What needs the SDK's classes: a class of its own, as tenants behind walls do not have them. */
final class Tracing {

    private Tracing() {
    }

    private static JvrpcTracing of(double part) {
        return JvrpcTracing.builder(OpenTelemetrySdk.builder().setTracerProvider(SdkTracerProvider.builder().build())
                .build()).clientRoots(part).serverRoots(part).build();
    }

    static void add(RpcServer.Builder server, String address, double part) {
        server.intercept(of(part).server(address));
    }

    static void add(RpcClient.Builder client, String address, double part) {
        client.intercept(of(part).client(address));
    }
}
