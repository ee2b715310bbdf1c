package org.jvrpc.runtime.stream;

import java.nio.ByteBuffer;
import org.jvrpc.runtime.stream.piece.StreamHeader;

/** What comes for a stream, by its kind, and whether its peer's elements have ended. Whoever polls. */
final class Arrival {

    private boolean ended;

    /** Tells a stream, which this is of. @throws IllegalStateException where it makes no sense */
    void tell(Stream stream, int kind, ByteBuffer from, int at, int length, int more) {
        switch (kind) {
            case StreamHeader.DATA -> {
                expectElements(stream, length);
                stream.data(from, at, length);
            }
            case StreamHeader.WINDOW -> stream.window(more);
            case StreamHeader.END -> {
                end(stream);
                stream.ended();
            }
            case StreamHeader.CANCEL -> stream.cancelled();
            case StreamHeader.OPEN, StreamHeader.RESULT, StreamHeader.ERROR, StreamHeader.TRAILERS -> {
                stream.piece(kind, from, at, length, more);
            }
            default -> throw new IllegalStateException("message makes no sense: kind=" + kind);
        }
    }

    /** A whole message came for it. */
    void message(Stream stream, int kind) {
        if (kind == StreamHeader.ERROR) {
            end(stream);
        }
    }

    private void end(Stream stream) {
        if (ended) {
            throw new IllegalStateException("peer ends a stream twice: number=" + Integer.toHexString(stream.id()));
        }
        ended = true;
    }

    private void expectElements(Stream stream, int bytes) {
        if (ended) {
            throw new IllegalStateException("peer sends elements behind their end: number="
                    + Integer.toHexString(stream.id()) + " bytes=" + bytes);
        }
    }
}
