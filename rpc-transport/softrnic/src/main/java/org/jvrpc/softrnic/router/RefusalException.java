package org.jvrpc.softrnic.router;

import org.jvrpc.softrnic.router.wire.Refused;
import org.jvrpc.verbs.VerbsException;

/** The router refused, or is not there. */
final class RefusalException extends VerbsException {

    private static final long serialVersionUID = 1L;

    private final int reason;

    RefusalException(String operation, Refused refused) {
        super(operation, refused.message());
        this.reason = refused.reason();
    }

    RefusalException(String operation, String message, Throwable cause) {
        super(operation, message, cause);
        this.reason = Refused.ROUTER_GONE;
    }

    /** Returns why, see {@link Refused}. */
    int reason() {
        return reason;
    }
}
