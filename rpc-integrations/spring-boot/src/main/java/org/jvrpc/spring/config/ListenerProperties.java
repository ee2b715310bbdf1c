package org.jvrpc.spring.config;

import java.util.List;
import org.jvrpc.runtime.IdleStrategy;

/**
 * {@code jvrpc.server.listeners.NAME}: one server, and what it has otherwise than {@code jvrpc.server} says. Null is as
 * there.
 *
 * @param address where it is
 * @param pollers threads that take calls
 * @param idle how these wait
 * @param reflection whether clients may ask which services there are
 * @param admin whether clients may ask for sessions and settings
 * @param objectGraphs whether object graphs may travel over networks
 * @param register targets of registries that are told where the server is
 */
public record ListenerProperties(
        String address,
        Integer pollers,
        IdleStrategy idle,
        Boolean reflection,
        Boolean admin,
        Boolean objectGraphs,
        List<String> register) {
}
