package org.jvrpc.api.stub;

import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** One call with a stream, between {@link RpcChannel#beginStream} and its end. One thread. */
public abstract class StreamCall extends ClientCall {

    /** For the runtime. */
    protected StreamCall() {
    }

    /** Names the stream among the arguments, which is subscribed to when the call starts. At most once. */
    public abstract <T> void elements(Flow.Publisher<T> stream, StreamCodec<T> codec);

    /**
     * Ends this call object for the caller and returns the stream that is the result. Nothing is sent before it is
     * subscribed to, which makes the call; a second subscriber is refused.
     */
    public final <T> Flow.Publisher<T> publish(StreamCodec<T> codec) {
        return publish(codec, null);
    }

    /** As above. @param failure reads and throws a declared exception that the stream ends with; null for none */
    public abstract <T> Flow.Publisher<T> publish(StreamCodec<T> codec,
            @Nullable ResultReader<Void> failure);

    /** No call with a stream is one-way. */
    @Override
    public final void send() {
        throw new UnsupportedOperationException("a call with a stream is not one-way");
    }
}
