package org.jvrpc.api.retry;

/**
 * Keeps the calls that a client makes again from burying servers that fail: a bucket of {@code maxTokens}, from which
 * each failure that could be retried takes one and into which each success puts {@code tokenRatio}. While half of them
 * or less are left, nothing is retried or hedged.
 *
 * @param maxTokens 1 to 1000
 * @param tokenRatio 0.001 to 1000
 */
public record RetryThrottling(int maxTokens, double tokenRatio) {

    public RetryThrottling {
        if (maxTokens < 1 || maxTokens > 1000) {
            throw new IllegalArgumentException("maxTokens must be 1 to 1000, maxTokens=" + maxTokens);
        }
        if (!(tokenRatio >= 0.001 && tokenRatio <= 1000)) {
            throw new IllegalArgumentException("tokenRatio must be 0.001 to 1000, tokenRatio=" + tokenRatio);
        }
    }
}
