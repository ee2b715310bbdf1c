package org.jvrpc.verbs;

/** A verb that the device refused. Peer faults are not exceptions but {@link WcStatus}. */
public class VerbsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String operation;

    /** Who or what refused, as far as the device knows. */
    public enum Why {
        /** The device, or this host: memory, a limit, an address, or there is no device. */
        DEVICE,
        /** A quota that somebody set is used up. */
        QUOTA,
        /** Whoever serves the device is gone, or is not there yet: it may work later. */
        GONE,
        /** It is not allowed. */
        FORBIDDEN,
        /** Whoever serves the device does not know who asks: its token is wrong, or too old. */
        UNKNOWN_CALLER,
        /** The device, or the peer, speaks another version. */
        VERSION
    }

    /** Makes one without a cause. */
    public VerbsException(String operation, String message) {
        this(operation, message, null);
    }

    /** Makes one; {@code message} holds the values that matter. */
    public VerbsException(String operation, String message, Throwable cause) {
        super(operation + ": " + message, cause);
        this.operation = operation;
    }

    /** Returns who or what refused; {@link Why#DEVICE} where nothing else is known. */
    public Why why() {
        return Why.DEVICE;
    }

    /** Returns the verb, for instance {@code create_qp}. */
    public String operation() {
        return operation;
    }
}
