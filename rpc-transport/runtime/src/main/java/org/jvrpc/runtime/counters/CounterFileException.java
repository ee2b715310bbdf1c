package org.jvrpc.runtime.counters;

import org.jspecify.annotations.Nullable;

/** A file of counters cannot be read. */
public final class CounterFileException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why it cannot. */
    public enum Reason {
        /** It is not there, any more perhaps, or this user may not read it. */
        UNREADABLE,
        /** It has the name of one and is none, or its process has not written its header yet. */
        FOREIGN,
        /** Its layout is of another version. */
        OTHER_VERSION,
        /** It is shorter than it says, or what it says of itself makes no sense. */
        CUT,
        /** Its process is dead. */
        DEAD
    }

    private final Reason reason;

    public CounterFileException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public CounterFileException(Reason reason, String message) {
        this(reason, message, null);
    }

    public Reason reason() {
        return reason;
    }
}
