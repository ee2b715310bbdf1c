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

    /** The router is not there. */
    RefusalException(String operation, String message, Throwable cause) {
        this(operation, message, cause, Refused.ROUTER_GONE);
    }

    private RefusalException(String operation, String message, Throwable cause, int reason) {
        super(operation, message, cause);
        this.reason = reason;
    }

    /** Returns one that says what the refused command was part of. */
    static RefusalException of(String operation, String message, RefusalException cause) {
        return new RefusalException(operation, message, cause, cause.reason);
    }

    /** Returns why, see {@link Refused}. */
    int reason() {
        return reason;
    }

    @Override
    public Why why() {
        return switch (reason) {
            case Refused.VERSION -> Why.VERSION;
            case Refused.QUOTA, Refused.NO_MEMORY -> Why.QUOTA;
            case Refused.TOKEN_WRONG, Refused.TOKEN_EXPIRED -> Why.UNKNOWN_CALLER;
            case Refused.NO_TENANT, Refused.WRONG_USER, Refused.NOT_YOURS, Refused.POLICY, Refused.REVOKED ->
                Why.FORBIDDEN;
            case Refused.BAD_FRAME, Refused.FOLDER -> Why.DEVICE;
            default -> Why.GONE; // of a reason that this version does not know, too
        };
    }
}
