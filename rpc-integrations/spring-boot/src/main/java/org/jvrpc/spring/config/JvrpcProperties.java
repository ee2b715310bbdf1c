package org.jvrpc.spring.config;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of jvRPC. A name below {@code jvrpc} that is none of them keeps the context from starting. What is not
 * set is as the builders of server and client have it.
 *
 * @param server of the servers of the context
 * @param tracing of the spans of their calls
 * @param clients of its clients, by their names
 */
@ConfigurationProperties(prefix = JvrpcProperties.PREFIX, ignoreUnknownFields = false)
public record JvrpcProperties(
        @DefaultValue ServerProperties server,
        @DefaultValue TracingProperties tracing,
        Map<String, ClientProperties> clients) {

    /** With what all names begin. */
    public static final String PREFIX = "jvrpc";

    public JvrpcProperties {
        clients = clients == null ? Map.of() : Map.copyOf(clients);
    }
}
