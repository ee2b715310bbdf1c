package org.jvrpc.spring.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jvrpc.runtime.IdleStrategy;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * {@code jvrpc.server}: see {@link org.jvrpc.runtime.RpcServer.Builder} for ranges and defaults. Null is the default.
 *
 * @param enabled whether services are served
 * @param addresses where all services are served, a server each
 * @param listeners servers with a name, and with settings of their own before these
 * @param pollers threads that take calls
 * @param idle how these wait
 * @param reflection whether clients may ask which services there are
 * @param admin whether clients may ask for sessions and settings
 * @param context whether handlers have the context of their call
 * @param objectGraphs whether object graphs may travel over networks
 * @param queuedCalls heavy calls that may wait for the executor
 * @param maxBodySize the longest body
 * @param streamWindow what may wait of each stream
 * @param keepAlive after which silence a client is asked for a sign of life
 * @param recheck how long a session may go on of whoever is not admitted any more
 * @param register targets of registries that are told where the servers are
 * @param followReadiness whether health is NOT_SERVING while the application refuses traffic
 * @param shutdownTimeout how long calls in progress may take when the context closes
 * @param limits what clients may cost
 * @param principalLimits what each principal may cost
 */
public record ServerProperties(
        @DefaultValue("true") boolean enabled,
        List<String> addresses,
        Map<String, ListenerProperties> listeners,
        Integer pollers,
        IdleStrategy idle,
        Boolean reflection,
        Boolean admin,
        Boolean context,
        Boolean objectGraphs,
        Integer queuedCalls,
        DataSize maxBodySize,
        DataSize streamWindow,
        Duration keepAlive,
        Duration recheck,
        List<String> register,
        @DefaultValue("true") boolean followReadiness,
        @DefaultValue("20s") Duration shutdownTimeout,
        LimitProperties limits,
        PrincipalLimitProperties principalLimits) {

    public ServerProperties {
        addresses = addresses == null ? List.of() : List.copyOf(addresses);
        listeners = listeners == null ? Map.of() : Map.copyOf(listeners);
        register = register == null ? List.of() : List.copyOf(register);
    }
}
