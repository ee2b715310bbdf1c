package org.jvrpc.offload;

/** A program whose WRs would be fetched before others have changed them, or would not run; the message names them. */
public final class OrderException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    OrderException(String message) {
        super(message);
    }
}
