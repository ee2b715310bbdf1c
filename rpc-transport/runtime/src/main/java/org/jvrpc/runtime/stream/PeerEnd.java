package org.jvrpc.runtime.stream;

/** Knows whether the peer's elements of a stream have ended. Whoever polls. */
final class PeerEnd {

    private boolean ended;

    /** They end. @throws IllegalStateException when they had already */
    void end(int number) {
        if (ended) {
            throw new IllegalStateException("peer ends a stream twice: number=" + Integer.toHexString(number));
        }
        ended = true;
    }

    /** As {@link #end(int)}, without a failure. */
    void end(Stream stream) {
        end(stream.id());
        stream.ended();
    }

    /** Some come. @throws IllegalStateException when they have ended */
    void elements(int number, int bytes) {
        if (ended) {
            throw new IllegalStateException("peer sends elements behind their end: number="
                    + Integer.toHexString(number) + " bytes=" + bytes);
        }
    }
}
