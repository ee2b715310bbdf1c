package org.jvrpc.verbs;

import java.nio.charset.StandardCharsets;

/** A connection that did not come about. */
public final class ConnectionException extends VerbsException {

    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** Nobody listens at the address. */
        UNREACHABLE,
        /** The listener refused; see {@link ConnectionException#privateData()}. */
        REJECTED,
        /** What lies between does not let the two meet, by a rule of its own. */
        FORBIDDEN,
        /** The listener did not answer in time, or died while it did. */
        TIMEOUT,
        /** The two sides do not speak the same version of the connection protocol. */
        VERSION,
        /** This side's device could not: no memory, no address. */
        LOCAL
    }

    private final transient byte[] privateData;
    private final Reason reason;

    /** Makes one; {@code privateData} is what came with a rejection, else empty. */
    public ConnectionException(Reason reason, String message, byte[] privateData, Throwable cause) {
        super("connect", message, cause);
        this.reason = reason;
        this.privateData = privateData;
    }

    /** Makes one without private data. */
    public ConnectionException(Reason reason, String message, Throwable cause) {
        this(reason, message, new byte[0], cause);
    }

    /** Returns why. */
    public Reason reason() {
        return reason;
    }

    @Override
    public Why why() {
        return switch (reason) {
            case FORBIDDEN -> Why.FORBIDDEN;
            case VERSION -> Why.VERSION;
            case UNREACHABLE, REJECTED, TIMEOUT, LOCAL -> Why.GONE;
        };
    }

    /** Returns what the listener said when it refused. */
    public byte[] privateData() {
        return privateData == null ? new byte[0] : privateData.clone();
    }

    /** Returns {@link #privateData()} as text. */
    public String privateText() {
        return new String(privateData(), StandardCharsets.UTF_8);
    }
}
