package org.jvrpc.api.stub;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.ServerContext;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** One call on the server, as a skeleton sees it. One thread, until {@link Skeleton#dispatch} returns. */
public abstract class ServerCall implements ServerContext {

    /** For the runtime. */
    protected ServerCall() {
    }

    /** Returns the reader of the arguments, over the memory where they landed. */
    public abstract WireReader arguments();

    /**
     * Begins the answer of a method that returned: the result is written here. When {@code dispatch} ends with
     * INVALID_ARGUMENT after this, the result and not an argument was at fault: a null in it, or an object graph with a
     * class that is not registered; the caller is told INTERNAL.
     */
    public abstract WireWriter result();

    /**
     * Begins the answer of a method that threw its declared exception {@code number}, from 1: it is written here. What
     * {@link #result()} took is dropped.
     */
    public abstract WireWriter exception(int number);

    /**
     * Leaves the answer to a stage: when it completes, {@code writer} writes the result or the declared exception, on
     * a thread that the runtime chooses. A null stage is an error of the handler.
     */
    public abstract <R> void completeLater(CompletionStage<R> stage, ResultWriter<R> writer);

    /**
     * Returns the stream among the arguments. Its elements come once it is subscribed; one subscriber. Once, behind the
     * arguments that lie in {@link #arguments()}.
     */
    public <T> Flow.Publisher<T> elements(StreamCodec<T> codec) {
        throw new RpcException(Status.UNIMPLEMENTED, "this call carries no stream: " + method().fullName());
    }

    /** As {@link #publish(Flow.Publisher, StreamCodec, ResultWriter)}, for a method without declared exceptions. */
    public final <T> void publish(Flow.Publisher<T> elements, StreamCodec<T> codec) {
        publish(elements, codec, null);
    }

    /**
     * Answers with a stream, which the runtime subscribes to. A null publisher is an error of the handler.
     *
     * @param failure writes a declared exception that the stream ends with, see {@link ResultWriter}; null for none
     */
    public <T> void publish(Flow.Publisher<T> elements, StreamCodec<T> codec,
            @Nullable ResultWriter<Void> failure) {
        throw new RpcException(Status.UNIMPLEMENTED, "this call answers with no stream: " + method().fullName());
    }

    /** Encodes the answer of an asynchronous method. Generated; stateless. */
    @FunctionalInterface
    public interface ResultWriter<R> {
        /**
         * Writes the result through {@link ServerCall#result()}, or a declared exception through
         * {@link ServerCall#exception(int)}.
         *
         * @param thrown null, or what the stage ended with
         * @throws Throwable {@code thrown} when it is not a declared exception
         */
        void write(ServerCall call, R result, @Nullable Throwable thrown) throws Throwable;
    }
}
