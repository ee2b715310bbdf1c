package org.jvrpc.spring.client;

import java.util.Map;
import java.util.TreeMap;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.balance.ServerStatus;

/**
 * How a client stands.
 *
 * @param connection whether it has one
 * @param reason why the last attempt to connect failed; empty where it did not
 * @param servers the state of each server, with the reason for it where there is one
 */
public record ClientState(Connection connection, String reason, Map<String, String> servers) {

    /** Whether a client has a connection. */
    public enum Connection {
        /** Nobody has called yet. */
        NOT_YET,
        /** There is one that may get calls. */
        CONNECTED,
        /** There is none. */
        LOST
    }

    static ClientState of(RpcClient client, RuntimeException failure) {
        if (client == null) {
            return failure == null ? new ClientState(Connection.NOT_YET, "", Map.of())
                    : new ClientState(Connection.LOST, String.valueOf(failure.getMessage()), Map.of());
        }
        Map<String, String> servers = new TreeMap<>();
        for (ServerStatus status : client.servers()) {
            servers.put(status.address(), status.state() + (status.reason().isEmpty() ? "" : ": " + status.reason()));
        }
        return new ClientState(client.isConnected() ? Connection.CONNECTED : Connection.LOST, "", servers);
    }
}
