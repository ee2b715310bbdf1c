package org.jvrpc.roce.cm.message;

/** What a check of one message found. Each refusal is counted by its name; {@link #reason} is that of the REJ. */
public enum Verdict {
    ACCEPTED(0),
    LENGTH(0),
    HEADER(0),
    ATTRIBUTE(0),
    COMMUNICATION_ID(0),
    TRANSPORT(RejectReason.INVALID_TRANSPORT),
    SERVICE_ID(RejectReason.INVALID_SERVICE_ID),
    QPN(RejectReason.NO_QP),
    PATH_MTU(RejectReason.INVALID_MTU),
    CMA_HEADER(RejectReason.UNSUPPORTED),
    GID(RejectReason.INVALID_GID),
    STALE(RejectReason.STALE_CONNECTION);

    private final int reason;

    Verdict(int reason) {
        this.reason = reason;
    }

    /** Returns the reason of the REJ that answers, or 0 if the message is dropped in silence. */
    public int reason() {
        return reason;
    }
}
