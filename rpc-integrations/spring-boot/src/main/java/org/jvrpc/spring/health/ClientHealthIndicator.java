package org.jvrpc.spring.health;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jvrpc.spring.client.ClientRegistry;
import org.jvrpc.spring.client.ClientState;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * DOWN where a client has no connection, or the last attempt at one failed; UP where one has one; UNKNOWN where nobody
 * has called yet.
 */
final class ClientHealthIndicator extends AbstractHealthIndicator {

    private final ClientRegistry clients;

    ClientHealthIndicator(ClientRegistry clients) {
        super("the clients cannot be asked");
        this.clients = clients;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Status status = Status.UNKNOWN;
        for (Map.Entry<String, ClientState> entry : clients.states().entrySet()) {
            ClientState state = entry.getValue();
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("connection", state.connection().name());
            if (!state.reason().isEmpty()) {
                details.put("reason", state.reason());
            }
            if (!state.servers().isEmpty()) {
                details.put("servers", state.servers());
            }
            builder.withDetail(entry.getKey(), details);
            if (state.connection() == ClientState.Connection.LOST) {
                status = Status.DOWN;
            } else if (state.connection() == ClientState.Connection.CONNECTED && status != Status.DOWN) {
                status = Status.UP;
            }
        }
        builder.status(status);
    }
}
