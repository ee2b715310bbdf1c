package org.jvrpc.api.stub;

import java.util.concurrent.Flow;
import org.jvrpc.api.stream.StreamReader;

/**
 * A stream of the runtime's, which can be read by a thread that waits, without a subscriber. Any thread.
 *
 * @param <T> an element
 */
public interface ReadablePublisher<T> extends Flow.Publisher<T> {

    /**
     * Subscribes a reader: one of the kinds of {@link StreamReader} for primitives where the codec is theirs.
     *
     * @throws IllegalStateException when the stream has a subscriber
     */
    StreamReader<T> open();
}
