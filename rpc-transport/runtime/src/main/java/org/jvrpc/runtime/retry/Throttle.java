package org.jvrpc.runtime.retry;

import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.api.retry.RetryThrottling;

/** The bucket of {@link RetryThrottling}, in thousandths of a token. Any thread. */
final class Throttle {

    private static final long TOKEN = 1000;

    private final long most;
    private final long ratio;
    private final AtomicLong tokens;

    Throttle(RetryThrottling settings) {
        this.most = settings.maxTokens() * TOKEN;
        this.ratio = Math.round(settings.tokenRatio() * TOKEN);
        this.tokens = new AtomicLong(most);
    }

    void failed() {
        tokens.updateAndGet(now -> Math.max(0, now - TOKEN));
    }

    void succeeded() {
        if (tokens.get() < most) {
            tokens.updateAndGet(now -> Math.min(most, now + ratio));
        }
    }

    /** Returns true while more than half of the tokens are there. */
    boolean allows() {
        return tokens.get() > most / 2;
    }
}
