package org.jvrpc.benchmarks.soak.audit;

/** What a call asks for, and what it may end with. */
public enum CallKind {
    LIGHT, HEAVY, BYTES, LONG_BYTES,
    /** The handler sleeps. */
    LATE,
    /** The handler's future completes later, by another thread. */
    FUTURE,
    /** The handler outlives the call. */
    HANG,
    /** The handler calls the other server, whose refusal is the call's. */
    BACK,
    /** The handler throws what it did not declare. */
    THROW,
    /** The handler throws what it declared. */
    REFUSE,
    ONE_WAY,
    /** The caller gives up. */
    CANCEL;

    private static final CallKind[] ALL = values();

    static CallKind of(int ordinal) {
        return ALL[ordinal];
    }

    /** Returns true when its handler ends by returning a value. */
    boolean answers() {
        return this != THROW && this != REFUSE && this != ONE_WAY;
    }
}
