package org.jvrpc.runtime;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Handles the frames of sessions. Called by the thread that polls, one call at a time for a session: a handler that
 * blocks holds up the others. An exception ends the session, with itself as the cause.
 */
public interface MessageHandler {

    /** A session begins; frames may be sent. */
    default void opened(MessageSession session) {
    }

    /**
     * A frame came.
     *
     * @param frame its bytes from position to limit, big-endian; gone when this returns
     */
    void frame(MessageSession session, ByteBuffer frame);

    /** Everything that {@link MessageSession#queuedBytes()} counted has left. */
    default void drained(MessageSession session) {
    }

    /**
     * The session is over; called once.
     *
     * @param cause null when one side closed it, else why it broke
     */
    default void closed(MessageSession session, @Nullable Throwable cause) {
    }
}
