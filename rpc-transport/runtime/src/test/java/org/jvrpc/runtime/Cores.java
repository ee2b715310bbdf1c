package org.jvrpc.runtime;

/** What is behind the front doors, for tests of the rooms. */
public final class Cores {

    private Cores() {
    }

    public static ClientCore of(RpcClient client) {
        return client.core();
    }

    public static ServerCore of(RpcServer server) {
        return server.core();
    }
}
