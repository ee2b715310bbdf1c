package org.jvrpc.spring.config;

import java.time.Duration;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.balance.ConnectionBackoff;

/**
 * {@code jvrpc.clients.NAME.connection-backoff}: see {@link ConnectionBackoff}, from whose {@link
 * ConnectionBackoff#DEFAULT default} it begins.
 *
 * @param initial the first pause
 * @param multiplier how much longer the next one is
 * @param jitter how much of a pause is by lot
 * @param max the longest
 */
public record BackoffProperties(Duration initial, Double multiplier, Double jitter, Duration max) {

    void applyTo(String prefix, RpcClient.Builder builder) {
        ConnectionBackoff otherwise = ConnectionBackoff.DEFAULT;
        Property.apply(prefix, this, all -> builder.connectionBackoff(new ConnectionBackoff(
                Property.or(initial, otherwise.initial()),
                Property.or(multiplier, otherwise.multiplier()),
                Property.or(jitter, otherwise.jitter()),
                Property.or(max, otherwise.max()))));
    }
}
