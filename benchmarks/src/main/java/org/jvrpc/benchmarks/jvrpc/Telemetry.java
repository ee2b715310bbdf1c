package org.jvrpc.benchmarks.jvrpc;

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

    private static Telemetry chosen() {
        String name = System.getProperty(PROPERTY);
        return name == null ? null : valueOf(name);
    }

    static void add(RpcServer.Builder server, String address) {
        Telemetry chosen = chosen();
        if (chosen != null) {
            Tracing.add(server, address, chosen.part);
        }
    }

    static void add(RpcClient.Builder client, String address) {
        Telemetry chosen = chosen();
        if (chosen != null) {
            Tracing.add(client, address, chosen.part);
        }
    }
}
