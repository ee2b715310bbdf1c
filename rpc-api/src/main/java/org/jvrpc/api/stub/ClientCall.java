package org.jvrpc.api.stub;

import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** One call between {@link RpcChannel#begin} and its end. One thread. */
public abstract class ClientCall {

    /** For the runtime. */
    protected ClientCall() {
    }

    /** Returns the writer of the arguments, which go straight into session memory. */
    public abstract WireWriter arguments();

    /**
     * Sends the request and waits for the answer. The caller reads the result, then calls {@link #close()}.
     *
     * @return a reader over the result, or over the declared exception when {@link #thrown()} is not 0
     * @throws org.jvrpc.api.RpcException when the call failed; the call must still be closed
     */
    public abstract WireReader invoke();

    /** Returns 0, or the number, from 1 in declaration order, of the declared exception that the handler threw. */
    public abstract int thrown();

    /**
     * Sends the request; the future completes when the answer is there. Ends this call object for the caller.
     * Cancelling the future cancels the call.
     */
    public abstract <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader);

    /**
     * Sends the request; the callback is called when the answer is there. Ends this call object for the caller. This is
     * for calls that have no better way; it takes a future.
     *
     * @throws org.jvrpc.api.RpcException when the call was not made: nothing is called then
     */
    public <R> void invokeCallback(ResultReader<R> reader, RpcCallback<R> callback) {
        invokeAsync(reader).whenComplete(callback::completed);
    }

    /** As {@link #invokeCallback}, for a method that returns {@code int}. */
    public void invokeCallbackInt(ResultReader.OfInt reader, RpcCallback.OfInt callback) {
        invokeAsync(reader)
                .whenComplete((result, failure) -> callback.completed(result == null ? 0 : result, failure));
    }

    /** As {@link #invokeCallback}, for a method that returns {@code long}. */
    public void invokeCallbackLong(ResultReader.OfLong reader, RpcCallback.OfLong callback) {
        invokeAsync(reader)
                .whenComplete((result, failure) -> callback.completed(result == null ? 0 : result, failure));
    }

    /** As {@link #invokeCallback}, for a method that returns {@code double}. */
    public void invokeCallbackDouble(ResultReader.OfDouble reader, RpcCallback.OfDouble callback) {
        invokeAsync(reader)
                .whenComplete((result, failure) -> callback.completed(result == null ? 0 : result, failure));
    }

    /** Sends a one-way request. Ends this call object for the caller. */
    public abstract void send();

    /** Gives the slot back after {@link #invoke()}. */
    public abstract void close();

    /**
     * Gives the slot back because writing the arguments failed.
     *
     * @return what to throw: {@code cause} itself when it is unchecked, else INTERNAL around it
     */
    public abstract RuntimeException abandon(Throwable cause);
}
