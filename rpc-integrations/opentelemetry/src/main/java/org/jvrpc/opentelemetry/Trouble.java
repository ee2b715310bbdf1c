package org.jvrpc.opentelemetry;

import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what a tracer throws, a line in ten seconds: calls go on without it. Any thread. */
final class Trouble {

    private static final Logger LOG = LoggerFactory.getLogger(Trouble.class);
    private static final LogLimit LIMIT = new LogLimit(10_000_000_000L);

    private Trouble() {
    }

    static void log(String what, Throwable cause) {
        try {
            long kept = LIMIT.pass(Clock.SYSTEM.nanoTime());
            if (kept != LogLimit.KEEP_BACK) {
                LOG.warn("{} threw, {} times more since the last line", what, kept, cause);
            }
        } catch (Throwable t) { // the log's own trouble is no call's
            LOG.debug("cannot log what a tracer threw: {}", t.getClass().getName());
        }
    }
}
