package org.jvrpc.runtime.counters;

import java.time.Instant;
import java.util.List;

/**
 * What a process counted.
 *
 * @param pid its number, in its PID namespace
 * @param startedAt when it started
 * @param name what people call it: {@code -Djvrpc.process.name}, else its main class or archive
 * @param endpoints its clients and servers that there are, in the order in which they were made
 * @param lost how many methods, sessions and endpoints found no room in the file and are not here
 */
public record ProcessCounters(long pid, Instant startedAt, String name, List<EndpointCounters> endpoints, long lost) {
}
