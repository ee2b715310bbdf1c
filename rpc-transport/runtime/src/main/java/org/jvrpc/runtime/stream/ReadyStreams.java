package org.jvrpc.runtime.stream;

import java.util.ArrayDeque;
import java.util.List;

/**
 * Streams that have something to send and wait for the peer's credits, each once: they take turns of some pieces, so
 * that one that always has more holds up no other. Under the session's monitor.
 */
final class ReadyStreams {

    private static final int PIECES_A_TURN = 8;

    private final ArrayDeque<Stream> waiting = new ArrayDeque<>();
    /** Whose turn it is, and how many pieces it has sent. */
    private Stream first;
    private int pieces;

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Returns true when a stream may send a piece now, where there is a credit for it. */
    boolean isTurnOf(Stream stream) {
        return first == stream ? pieces++ < PIECES_A_TURN || waiting.isEmpty() : waiting.isEmpty();
    }

    /** A stream has more to send. */
    void add(Stream stream) {
        if (!stream.queued) {
            stream.queued = true;
            if (stream.id() == 0) {
                waiting.addFirst(stream); // what follows builds on it
            } else {
                waiting.add(stream);
            }
        }
    }

    /** Returns the stream whose turn begins, or null. */
    Stream next() {
        Stream next = waiting.poll();
        if (next != null) {
            next.queued = false;
            first = next;
            pieces = 0;
        }
        return next;
    }

    /** Nobody's turn is under way. */
    void endTurn() {
        first = null;
    }

    /** Returns all, which do not wait any more. */
    List<Stream> drain() {
        List<Stream> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }
}
