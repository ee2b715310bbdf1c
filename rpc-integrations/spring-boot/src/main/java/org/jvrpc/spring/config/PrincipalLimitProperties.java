package org.jvrpc.spring.config;

import org.jvrpc.runtime.PrincipalLimits;
import org.springframework.util.unit.DataSize;

/**
 * {@code jvrpc.server.principal-limits}: see {@link PrincipalLimits}. Null, and 0, is no limit.
 *
 * @param maxSessions sessions at once
 * @param maxCalls calls under way
 * @param callsPerSecond calls a second
 * @param bytesPerSecond bytes of arguments a second
 */
public record PrincipalLimitProperties(
        Integer maxSessions, Integer maxCalls, Long callsPerSecond, DataSize bytesPerSecond) {

    PrincipalLimits toLimits(String prefix) {
        PrincipalLimits limits = new PrincipalLimits();
        Property.apply(prefix + ".max-sessions", maxSessions, limits::maxSessions);
        Property.apply(prefix + ".max-calls", maxCalls, limits::maxCalls);
        Property.apply(prefix + ".calls-per-second", callsPerSecond, limits::callsPerSecond);
        Property.apply(prefix + ".bytes-per-second", bytesPerSecond, size -> limits.bytesPerSecond(size.toBytes()));
        return limits;
    }
}
