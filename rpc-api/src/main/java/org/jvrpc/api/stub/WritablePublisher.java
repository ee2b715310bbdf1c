package org.jvrpc.api.stub;

import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A stream that is written by a thread that waits, which the runtime lets write without a subscription. Any thread.
 *
 * @param <T> an element
 */
public interface WritablePublisher<T> extends Flow.Publisher<T> {

    /**
     * Subscribes what the elements are written to.
     *
     * @param sink one of the kinds of {@link org.jvrpc.api.stream.StreamWriter} for primitives where the codec is
     *     theirs
     * @return what writes them and ends the stream, to be run once, by a thread that may wait; null where another
     *     thread does
     * @throws IllegalStateException when the stream has a subscriber
     */
    @Nullable Runnable attach(StreamSink<T> sink);

    /** The call that it was handed to has failed before {@link #attach}, which is not called any more. */
    default void abandon(Throwable cause) {
        // nobody waits
    }
}
