package org.jvrpc.offload.wr;

/** A program whose WRs would be fetched before others have changed them, or would not run; the message names them. */
public final class OrderException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** @param message names the WRs that are out of order */
    public OrderException(String message) {
        super(message);
    }
}
