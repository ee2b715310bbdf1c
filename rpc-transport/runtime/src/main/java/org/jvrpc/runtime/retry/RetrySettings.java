package org.jvrpc.runtime.retry;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jvrpc.api.retry.HedgingPolicy;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.api.retry.RetryThrottling;
import org.jvrpc.api.stub.MethodDescriptor;

/** Which calls of a client are made again, and how. A builder's state, copied when it builds. One thread. */
public final class RetrySettings {

    /** All methods of all services. */
    public static final String ALL = "*";
    private static final int DEFAULT_BUFFER_LIMIT = 1 << 20;
    private static final int MOST_BUFFER_LIMIT = 1 << 30;

    private final Map<String, RetryPolicy> retries = new LinkedHashMap<>();
    private final Map<String, HedgingPolicy> hedges = new LinkedHashMap<>();
    private RetryThrottling throttling;
    private int bufferLimit = DEFAULT_BUFFER_LIMIT;
    private long seed = new SplittableRandom().nextLong();

    /** Returns a copy. */
    RetrySettings copy() {
        RetrySettings copy = new RetrySettings();
        copy.retries.putAll(retries);
        copy.hedges.putAll(hedges);
        copy.throttling = throttling;
        copy.bufferLimit = bufferLimit;
        copy.seed = seed;
        return copy;
    }

    /** Returns true when no policy is set. */
    public boolean isEmpty() {
        return retries.isEmpty() && hedges.isEmpty();
    }

    /** @param methods {@code *}, {@code service/*} or {@code service/method} */
    public void retry(String methods, RetryPolicy policy) {
        retries.put(check(methods), Objects.requireNonNull(policy, "policy"));
    }

    /** As {@link #retry}. */
    public void hedge(String methods, HedgingPolicy policy) {
        hedges.put(check(methods), Objects.requireNonNull(policy, "policy"));
    }

    private static String check(String methods) {
        int slash = methods.indexOf('/');
        int star = methods.indexOf('*');
        boolean named = slash > 0 && slash == methods.lastIndexOf('/') && slash < methods.length() - 1;
        if (!methods.equals(ALL) && (!named || star >= 0 && !(star == slash + 1 && star == methods.length() - 1))) {
            throw new IllegalArgumentException("methods must be *, service/* or service/method, methods=" + methods);
        }
        return methods;
    }

    public void throttling(RetryThrottling value) {
        throttling = Objects.requireNonNull(value, "throttling");
    }

    RetryThrottling throttling() {
        return throttling;
    }

    public void bufferLimit(int bytes) {
        if (bytes < 0 || bytes > MOST_BUFFER_LIMIT) {
            throw new IllegalArgumentException("perCallBufferLimit must be 0 to " + MOST_BUFFER_LIMIT
                    + ", perCallBufferLimit=" + bytes);
        }
        bufferLimit = bytes;
    }

    int bufferLimit() {
        return bufferLimit;
    }

    /** For tests: what the pauses are varied by. */
    public void seed(long value) {
        seed = value;
    }

    long seed() {
        return seed;
    }

    /**
     * Returns the policy of a method: the one of its name, else of its service, else of all.
     *
     * @throws IllegalArgumentException when it is to be hedged by name and is not idempotent, or has no answer
     */
    MethodPolicy policyOf(MethodDescriptor method) {
        String name = method.fullName();
        boolean hedgeable = method.idempotent() && !method.oneWay();
        if (hedges.containsKey(name) && !hedgeable) {
            throw new IllegalArgumentException("only idempotent methods with an answer are hedged, method=" + name);
        }
        for (String key : new String[] {name, method.service() + "/*", ALL}) {
            HedgingPolicy hedging = hedges.get(key);
            if (hedging != null && hedgeable) {
                return new MethodPolicy(null, hedging);
            }
            if (retries.containsKey(key)) {
                return new MethodPolicy(retries.get(key), null);
            }
        }
        return MethodPolicy.NONE;
    }
}
