package org.jvrpc.spring.health;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jvrpc.api.health.ServerHealth;
import org.jvrpc.api.health.ServingStatus;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.spring.JvrpcServers;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * UP where all servers are SERVING; OUT_OF_SERVICE where one says something else of itself; UNKNOWN where there is
 * none.
 */
final class ServerHealthIndicator extends AbstractHealthIndicator {

    private final JvrpcServers servers;

    ServerHealthIndicator(JvrpcServers servers) {
        super("the servers cannot be asked");
        this.servers = servers;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Map<String, RpcServer> running = servers.running();
        Status status = running.isEmpty() ? Status.UNKNOWN : Status.UP;
        for (Map.Entry<String, RpcServer> entry : running.entrySet()) {
            ServingStatus serving = entry.getValue().health().status(ServerHealth.SERVER);
            Map<String, String> details = new LinkedHashMap<>();
            details.put("address", entry.getValue().address());
            details.put("status", serving.name());
            builder.withDetail(entry.getKey(), details);
            status = serving == ServingStatus.SERVING ? status : Status.OUT_OF_SERVICE;
        }
        builder.status(status);
    }
}
