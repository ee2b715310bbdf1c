package org.jvrpc.spring.config;

import org.jvrpc.api.retry.RetryThrottling;
import org.jvrpc.runtime.RpcClient;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code jvrpc.clients.NAME.retry-throttling}: see {@link RetryThrottling}.
 *
 * @param maxTokens the bucket, 1 to 1000
 * @param tokenRatio what a success puts in, 0.001 to 1000
 */
public record ThrottlingProperties(@DefaultValue("10") int maxTokens, @DefaultValue("0.1") double tokenRatio) {

    void applyTo(String prefix, RpcClient.Builder builder) {
        Property.apply(prefix, this, all -> builder.retryThrottling(new RetryThrottling(maxTokens, tokenRatio)));
    }
}
