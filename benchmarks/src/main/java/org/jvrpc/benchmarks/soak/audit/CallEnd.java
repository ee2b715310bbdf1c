package org.jvrpc.benchmarks.soak.audit;

import java.util.Optional;
import org.jvrpc.api.Status;

/** How far a call has come, as its client sees it. */
public enum CallEnd {
    /** Not begun. */
    NONE,
    STARTED, OK,
    /** By the exception that its handler declares. */
    REFUSED,
    /** By its caller. */
    CANCELLED,
    /** Because its client closed the connection meanwhile. */
    CLOSED,
    UNKNOWN, UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED,
    /** With what no call may end with: the client has noted a violation. */
    WRONG;

    private static final CallEnd[] ALL = values();

    static CallEnd of(int ordinal) {
        return ALL[ordinal];
    }

    /** Returns the end by a status that may be, or nothing. */
    public static Optional<CallEnd> of(Status status) {
        return switch (status) {
            case UNKNOWN -> Optional.of(UNKNOWN);
            case UNAVAILABLE -> Optional.of(UNAVAILABLE);
            case DEADLINE_EXCEEDED -> Optional.of(DEADLINE_EXCEEDED);
            case RESOURCE_EXHAUSTED -> Optional.of(RESOURCE_EXHAUSTED);
            default -> Optional.empty();
        };
    }
}
