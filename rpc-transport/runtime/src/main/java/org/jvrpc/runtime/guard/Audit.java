package org.jvrpc.runtime.guard;

import org.jvrpc.api.auth.AuditEvent;
import org.jvrpc.api.auth.AuditLog;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the user's log, whatever that does. Any thread. */
final class Audit {

    private static final Logger LOG = LoggerFactory.getLogger(Audit.class);
    private static final long PERIOD_NS = 10_000_000_000L;

    private final AuditLog log;
    private final LogLimit limit = new LogLimit(PERIOD_NS);

    /** @param log null for none */
    Audit(AuditLog log) {
        this.log = log;
    }

    void add(AuditEvent event) {
        if (log == null) {
            return;
        }
        try {
            log.add(event);
        } catch (Throwable t) { // it is the user's
            if (limit.pass(Clock.SYSTEM.nanoTime()) != LogLimit.KEEP_BACK) {
                LOG.error("the audit log throws, what it was told was: {}", event, t);
            }
        }
    }
}
