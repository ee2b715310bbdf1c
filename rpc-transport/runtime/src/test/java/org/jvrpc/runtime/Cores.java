package org.jvrpc.runtime;

import org.jvrpc.runtime.connection.ClientCore;
import org.jvrpc.runtime.server.ServerCore;

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
