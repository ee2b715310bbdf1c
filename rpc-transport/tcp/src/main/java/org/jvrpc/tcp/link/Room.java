package org.jvrpc.tcp.link;

/** How long a peer has left no room for what is sent to it. One thread at a time. */
final class Room {

    /** After which it is given up. */
    static final long PATIENCE_NS = 10_000_000_000L;

    static final String REFUSAL = "peer takes no messages: ms=" + PATIENCE_NS / 1_000_000;

    private long missingSinceNs;

    /** There was some. */
    void found() {
        missingSinceNs = 0;
    }

    /** There is none; returns true when the peer is to be given up. */
    boolean isMissing(long nowNs) {
        if (missingSinceNs == 0) {
            missingSinceNs = nowNs;
        }
        return nowNs - missingSinceNs > PATIENCE_NS;
    }
}
