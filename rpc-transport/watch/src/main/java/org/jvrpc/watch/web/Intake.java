package org.jvrpc.watch.web;

/** Takes what agents post. Called by several threads. */
public interface Intake {

    /** Most bytes of a body. */
    int MOST_BYTES = 256 << 10;

    /** The header that a seal may travel in. */
    String SEAL_HEADER = "Jvrpc-Seal";

    /**
     * Tells whether who posted has the key. In constant time; nothing else of the body is read before.
     *
     * @param body as it came, at most {@link #MOST_BYTES}
     * @param seal the header {@link #SEAL_HEADER}, null: there is none (a body may carry its own)
     */
    boolean isSealed(byte[] body, String seal);

    /**
     * Takes a body whose seal was right.
     *
     * @throws IllegalArgumentException if it is none; the message is sent back
     */
    void accept(byte[] body);
}
