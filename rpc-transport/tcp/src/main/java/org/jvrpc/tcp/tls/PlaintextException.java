package org.jvrpc.tcp.tls;

import java.io.IOException;

/** A client that does not speak TLS. */
public final class PlaintextException extends IOException {

    private static final long serialVersionUID = 1L;

    PlaintextException() {
        super("does not speak TLS");
    }
}
