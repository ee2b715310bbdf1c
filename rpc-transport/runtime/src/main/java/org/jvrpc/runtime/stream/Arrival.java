package org.jvrpc.runtime.stream;

import java.nio.ByteBuffer;

/** What comes for a stream, by its kind. Whoever polls. */
final class Arrival {

    private Arrival() {
    }

    /** Tells a stream. @throws IllegalStateException where it makes no sense */
    static void tell(Stream stream, int kind, ByteBuffer from, int at, int length, int more) {
        switch (kind) {
            case StreamHeader.DATA -> stream.data(from, at, length);
            case StreamHeader.WINDOW -> stream.window(more);
            case StreamHeader.END -> stream.peerEnd.end(stream);
            case StreamHeader.CANCEL -> stream.cancelled();
            case StreamHeader.OPEN, StreamHeader.RESULT, StreamHeader.ERROR -> {
                stream.piece(kind, from, at, length, more);
            }
            default -> throw new IllegalStateException("message makes no sense: kind=" + kind);
        }
    }
}
