package org.jvrpc.hdfs;

/**
 * A client cannot be served over this connection, but may be over another transport: it reached another NameNode than
 * it looks for, or nothing says where it is. Nothing was done.
 */
final class NotServedHereException extends Exception {

    private static final long serialVersionUID = 1L;

    NotServedHereException(String message) {
        super(message, null, false, false);
    }
}
