package org.jvrpc.runtime.resolve;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/**
 * The environment of a resolver or a registry, given by the client or server that it works for. Immutable.
 *
 * @param timeout how long one lookup, or one change of a registration, may take: the client's connect timeout
 * @param threads makes daemon threads, with names that say whose they are
 * @param nanoTime a monotonic clock, in nanoseconds
 * @param random 64 random bits, for jitter; any thread
 */
public record ResolverContext(Duration timeout, ThreadFactory threads, LongSupplier nanoTime, LongSupplier random) {

    /** @throws IllegalArgumentException when the timeout is not more than zero */
    public ResolverContext {
        Objects.requireNonNull(threads, "threads");
        Objects.requireNonNull(nanoTime, "nanoTime");
        Objects.requireNonNull(random, "random");
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("timeout must be more than zero, timeout=" + timeout);
        }
    }
}
