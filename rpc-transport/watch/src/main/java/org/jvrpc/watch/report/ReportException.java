package org.jvrpc.watch.report;

import java.io.IOException;

/** Bytes that are no report which may be used: the message has the values. */
public final class ReportException extends IOException {

    private static final long serialVersionUID = 1;

    private final Reason reason;

    /** What is wrong. */
    public enum Reason {
        /** Nothing like a report, or one that was cut off. */
        NO_REPORT,
        OTHER_VERSION,
        /** No such key, or a wrong seal. */
        FORGED,
        /** Sealed rightly, but its values make no sense. */
        MALFORMED
    }

    ReportException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Returns what is wrong, for counters. */
    public Reason reason() {
        return reason;
    }
}
