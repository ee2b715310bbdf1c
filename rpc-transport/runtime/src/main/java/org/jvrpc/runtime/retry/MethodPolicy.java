package org.jvrpc.runtime.retry;

import org.jvrpc.api.retry.HedgingPolicy;
import org.jvrpc.api.retry.RetryPolicy;

/** How a method's calls are made again: one of the two at most. */
record MethodPolicy(RetryPolicy retry, HedgingPolicy hedging) {

    /** Only where it is known that a call did not run. */
    static final MethodPolicy NONE = new MethodPolicy(null, null);
}
