package org.jvrpc.hdfs;

/**
 * The number in a call names no login of its session that is valid now; nothing was done. The client logs in again and
 * repeats the call.
 */
final class StaleLoginException extends Exception {

    private static final long serialVersionUID = 1L;

    StaleLoginException() {
        super("no valid login of this session", null, false, false);
    }
}
