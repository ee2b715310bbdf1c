package org.jvrpc.runtime;

import org.jvrpc.api.auth.AuditEvent;
import org.jvrpc.api.auth.AuditLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An audit log over SLF4J: logger {@value #LOGGER}, refusals and expulsions as warnings. Stateless. */
public final class Audit {

    /** The logger's name. */
    public static final String LOGGER = "org.jvrpc.audit";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    private Audit() {
    }

    /** Returns it. Each event is one line, printable and of bounded length, without tokens. */
    public static AuditLog slf4j() {
        return Audit::log;
    }

    private static void log(AuditEvent event) {
        if (event.kind() == AuditEvent.Kind.REFUSAL || event.kind() == AuditEvent.Kind.EXPULSION) {
            LOG.warn("{}", event);
        } else {
            LOG.info("{}", event);
        }
    }
}
