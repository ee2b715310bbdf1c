package org.jvrpc.micrometer;

import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what may throw, as registries and their filters may; logs that, a line in ten seconds. Any thread. */
final class Trouble {

    private static final Logger LOG = LoggerFactory.getLogger(Trouble.class);

    private final LogLimit limit = new LogLimit(10_000_000_000L);

    /** Returns true when it did not throw. */
    boolean none(String what, Runnable task) {
        try {
            task.run();
            return true;
        } catch (Throwable t) {
            long kept = limit.pass(Clock.SYSTEM.nanoTime());
            if (kept != LogLimit.KEEP_BACK) {
                LOG.warn("{} threw, {} times more since the last line", what, kept, t);
            }
            return false;
        }
    }
}
