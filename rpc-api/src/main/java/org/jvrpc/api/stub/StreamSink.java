package org.jvrpc.api.stub;

import org.jvrpc.api.stream.StreamWriter;

/**
 * A writer that ends its stream. One thread at a time.
 *
 * @param <T> an element
 */
public interface StreamSink<T> extends StreamWriter<T> {

    /** Ends the stream behind what was written. Idempotent. */
    void complete();

    /** Ends the stream with a failure, which the other side gets behind what was written. Idempotent. */
    void fail(Throwable cause);
}
