package org.jvrpc.verbs;

/**
 * What the cross-channel QPs of one {@link ProtectionDomain} run: queues that wait for each other's completions and
 * enable each other. A domain of its own for each client keeps their keys, rates and counts apart. Any thread.
 */
public interface Chains {

    /**
     * Limits how many WQEs the domain's cross-channel queues execute, all together. Source: mlx5's packet pacing limits
     * bytes of one SQ; this one counts WQEs.
     *
     * @param wqesPerSecond at least 1; {@link Long#MAX_VALUE} for no limit, which is the default
     * @param burst WQEs that may be executed at once after an idle time, at least 1
     */
    void limitRate(long wqesPerSecond, int burst);

    /** Returns how many WQEs were executed since the domain was made, by whoever executed them. */
    long executed();

    /** Stops the domain's cross-channel queues for good: their QPs go to ERR, wherever they are. Idempotent. */
    void cutOff();

    /** Returns true after {@link #cutOff()}, and after a process died while it executed one of these queues. */
    boolean isCutOff();

    /**
     * Returns true when managed queues of this domain may fetch a WQE as soon as an ENABLE allows it, as a card does;
     * false when they fetch each when they execute it.
     */
    default boolean prefetches() {
        return true;
    }

    /** Has this process's executions reported; null for none. Other processes' are not seen. */
    void trace(ChainTracer tracer);
}
