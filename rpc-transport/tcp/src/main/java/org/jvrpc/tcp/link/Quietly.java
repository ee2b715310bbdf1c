package org.jvrpc.tcp.link;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends what is over in any case. */
public final class Quietly {

    private static final Logger LOG = LoggerFactory.getLogger(Quietly.class);

    private Quietly() {
    }

    /** Has something end. @param what for the log */
    public static void end(Object what, AutoCloseable end) {
        try {
            end.close();
        } catch (Exception e) {
            LOG.debug("ending {}: {}", what, e.toString());
        }
    }
}
