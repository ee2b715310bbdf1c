package org.jvrpc.ibverbs.core;

import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.verbs.VerbsException;

/** A call that C refused: the operation, its {@code errno}, and what may be done about it. */
public final class NativeException extends VerbsException {

    private static final long serialVersionUID = 1L;

    private final int errno;

    private NativeException(String operation, int errno, String message) {
        super(operation, message);
        this.errno = errno;
    }

    /** Makes one of what the last call of this thread left in {@code errno}. */
    public static NativeException last(String operation, String values) {
        return of(operation, Libraries.errno(), values);
    }

    /** Makes one of an {@code errno}, of either sign. */
    public static NativeException of(String operation, int errno, String values) {
        int positive = Math.abs(errno);
        return new NativeException(
                operation, positive, Errno.describe(positive) + (values.isEmpty() ? "" : "; " + values));
    }

    /** Makes one with advice. */
    public static NativeException of(String operation, int errno, String values, String advice) {
        int positive = Math.abs(errno);
        return new NativeException(operation, positive, Errno.describe(positive) + "; " + values + "; " + advice);
    }

    /** Returns the error number, positive. */
    public int errno() {
        return errno;
    }
}
