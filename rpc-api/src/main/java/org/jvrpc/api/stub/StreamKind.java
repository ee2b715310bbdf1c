package org.jvrpc.api.stub;

/** Which parts of a method are streams. */
public enum StreamKind {

    /** It is a call as any other. */
    NONE,
    /** One of its arguments is a stream. */
    ARGUMENT,
    /** Its result is a stream. */
    RESULT,
    /** One of its arguments is a stream, and its result another. */
    BOTH;

    /** Returns true where one of the arguments is a stream. */
    public boolean argument() {
        return this == ARGUMENT || this == BOTH;
    }

    /** Returns true where the result is a stream. */
    public boolean result() {
        return this == RESULT || this == BOTH;
    }
}
