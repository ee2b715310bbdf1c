package org.jvrpc.roce.cm.message;

/** Reasons that a REJ gives, by their codes. Source: IBA volume 1, 12.6.7.2. */
public final class RejectReason {
    public static final int NO_QP = 1;
    public static final int NO_RESOURCES = 3;
    public static final int TIMEOUT = 4;
    public static final int UNSUPPORTED = 5;
    public static final int INVALID_COMMUNICATION_ID = 6;
    public static final int INVALID_SERVICE_ID = 8;
    public static final int INVALID_TRANSPORT = 9;
    public static final int STALE_CONNECTION = 10;
    public static final int INVALID_GID = 12;
    public static final int INVALID_MTU = 26;
    public static final int CONSUMER = 28;

    private RejectReason() {
    }
}
