package org.jvrpc.spring.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.balance.LeastSecurity;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * {@code jvrpc.clients.NAME}: see {@link org.jvrpc.runtime.RpcClient.Builder} for ranges and defaults. Null is the
 * default.
 *
 * @param address the address of a server, or a target of several
 * @param addresses of several servers, instead
 * @param connect when it connects
 * @param deadline of methods that have none of their own
 * @param connectTimeout how long connecting may take
 * @param waitForReady whether calls wait for a connection
 * @param loadBalancing which of several servers gets a call, by name
 * @param leastSecurity which addresses are used at all
 * @param healthCheck whether several servers are asked if they can serve
 * @param retry when calls are made again
 * @param methodRetry when those of some methods are
 * @param hedging when calls of some methods are made again before they have ended
 * @param retryThrottling when no call is made again
 * @param connectionBackoff pauses between attempts to connect
 * @param outlierEjection when a server gets no calls for a while
 * @param perCallBufferLimit how long arguments may be that are kept for another attempt
 * @param slots calls that may be in flight
 * @param initialSlots slots that a session has at first
 * @param slotSize the longest body that goes without rendezvous
 * @param maxBodySize the longest answer
 * @param streamWindow what may wait of each stream
 * @param idle how callers wait
 * @param reconnect whether the client connects again
 * @param keepAlive after which silence a server is asked for a sign of life
 * @param renewAfter for how long given up calls may hold half of the slots
 * @param objectGraphs whether object graphs may travel over networks
 * @param allowCredentialsInPlain whether credentials may travel where they can be read
 * @param offloadConnections threads that may have a method answered by program at once
 * @param offloadWait how long a program may take
 * @param addressOptions options behind addresses that resolvers find, by scheme
 */
public record ClientProperties(
        String address,
        List<String> addresses,
        @DefaultValue("lazy") Connect connect,
        Duration deadline,
        Duration connectTimeout,
        Boolean waitForReady,
        String loadBalancing,
        LeastSecurity leastSecurity,
        HealthCheckProperties healthCheck,
        RetryProperties retry,
        Map<String, RetryProperties> methodRetry,
        Map<String, HedgingProperties> hedging,
        ThrottlingProperties retryThrottling,
        BackoffProperties connectionBackoff,
        EjectionProperties outlierEjection,
        DataSize perCallBufferLimit,
        Integer slots,
        Integer initialSlots,
        DataSize slotSize,
        DataSize maxBodySize,
        DataSize streamWindow,
        IdleStrategy idle,
        Boolean reconnect,
        Duration keepAlive,
        Duration renewAfter,
        Boolean objectGraphs,
        Boolean allowCredentialsInPlain,
        Integer offloadConnections,
        Duration offloadWait,
        Map<String, String> addressOptions) {

    /** When a client connects. */
    public enum Connect {
        /** At its first call. */
        LAZY,
        /** When the context starts, behind its own servers; the context fails where there is none to connect to. */
        EAGER
    }

    public ClientProperties {
        addresses = addresses == null ? List.of() : List.copyOf(addresses);
        methodRetry = methodRetry == null ? Map.of() : Map.copyOf(methodRetry);
        hedging = hedging == null ? Map.of() : Map.copyOf(hedging);
        addressOptions = addressOptions == null ? Map.of() : Map.copyOf(addressOptions);
    }
}
