package org.jvrpc.hdfs;

import java.io.IOException;

/** A call is to be made by Hadoop's own transport; it did not leave the client yet. */
final class PlainTransportException extends IOException {

    private static final long serialVersionUID = 1L;

    PlainTransportException(String why, Throwable cause) {
        super(why, cause);
    }
}
