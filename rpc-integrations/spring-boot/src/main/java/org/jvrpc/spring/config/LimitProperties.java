package org.jvrpc.spring.config;

import org.jvrpc.runtime.SessionLimits;
import org.springframework.util.unit.DataSize;

/**
 * {@code jvrpc.server.limits}: see {@link SessionLimits} for ranges and defaults. Null is the default.
 *
 * @param maxSessions sessions there may be
 * @param maxSessionsPerPeer sessions one peer may have
 * @param sessionMemory for slots and queues of all sessions
 * @param bodyMemoryPerSession for long bodies of one session
 * @param bodyMemory for those of all
 * @param streamMemoryPerSession for streams of one session
 * @param streamMemory for those of all
 */
public record LimitProperties(
        Integer maxSessions,
        Integer maxSessionsPerPeer,
        DataSize sessionMemory,
        DataSize bodyMemoryPerSession,
        DataSize bodyMemory,
        DataSize streamMemoryPerSession,
        DataSize streamMemory) {

    SessionLimits toLimits(String prefix) {
        SessionLimits limits = new SessionLimits();
        Property.apply(prefix + ".max-sessions", maxSessions, limits::maxSessions);
        Property.apply(prefix + ".max-sessions-per-peer", maxSessionsPerPeer, limits::maxSessionsPerPeer);
        Property.apply(prefix + ".session-memory", sessionMemory, size -> limits.sessionMemory(size.toBytes()));
        pair(prefix + ".body-memory", bodyMemoryPerSession, bodyMemory,
                limits.bodyMemoryPerSession(), limits.bodyMemory(), limits::bodyMemory);
        pair(prefix + ".stream-memory", streamMemoryPerSession, streamMemory,
                limits.streamMemoryPerSession(), limits.streamMemory(), limits::streamMemory);
        return limits;
    }

    private interface Both {
        void set(long perSession, long inAll);
    }

    /** The two are checked together: the message has both names, and the property is one that was set. */
    private static void pair(
            String name, DataSize each, DataSize all, long defaultEach, long defaultAll, Both setter) {
        if (each == null && all == null) {
            return;
        }
        long perSession = each == null ? defaultEach : each.toBytes();
        long inAll = all == null ? Math.max(defaultAll, perSession) : all.toBytes();
        Property.apply(each == null ? name : name + "-per-session", each == null ? all : each,
                size -> setter.set(perSession, inAll));
    }
}
