package org.jvrpc.spring.config;

import java.time.Duration;
import org.jvrpc.runtime.RpcClient;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code jvrpc.clients.NAME.health-check}: several servers are asked whether they can serve.
 *
 * @param service its name on the wire; empty for the server as a whole
 * @param period how often
 */
public record HealthCheckProperties(@DefaultValue("") String service, @DefaultValue("5s") Duration period) {

    void applyTo(String prefix, RpcClient.Builder builder) {
        Property.apply(prefix + ".period", period, time -> builder.healthCheck(service, time));
    }
}
