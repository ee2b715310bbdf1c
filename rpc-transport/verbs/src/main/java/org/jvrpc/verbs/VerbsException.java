package org.jvrpc.verbs;

/** A verb that the device refused. Peer faults are not exceptions but {@link WcStatus}. */
public class VerbsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String operation;

    /** Makes one without a cause. */
    public VerbsException(String operation, String message) {
        this(operation, message, null);
    }

    /** Makes one; {@code message} holds the values that matter. */
    public VerbsException(String operation, String message, Throwable cause) {
        super(operation + ": " + message, cause);
        this.operation = operation;
    }

    /** Returns the verb, for instance {@code create_qp}. */
    public String operation() {
        return operation;
    }
}
