package org.jvrpc.api.stub;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** A client's way to one service of a server. Many threads. */
public interface RpcChannel {

    /**
     * Begins a call: claims a slot of session memory, waiting within the deadline for one to come free. The caller
     * writes the arguments, then ends the call by exactly one of {@link ClientCall#invoke()} and
     * {@link ClientCall#close()}, {@link ClientCall#invokeAsync(ResultReader)}, {@link ClientCall#send()}, or
     * {@link ClientCall#abandon(Throwable)}.
     *
     * @throws org.jvrpc.api.RpcException UNAVAILABLE without a connection, DEADLINE_EXCEEDED or RESOURCE_EXHAUSTED
     *     without a slot
     */
    ClientCall begin(MethodDescriptor method);

    /**
     * Begins a call of a method with a stream as argument, as result, or both; nothing is sent yet. The caller writes
     * the arguments, names the stream among them, then ends the call by exactly one of
     * {@link StreamCall#publish(StreamCodec)}, {@link ClientCall#invoke()} and {@link ClientCall#close()},
     * {@link ClientCall#invokeAsync(ResultReader)}, or {@link ClientCall#abandon(Throwable)}.
     *
     * @throws org.jvrpc.api.RpcException UNIMPLEMENTED where this channel carries no streams
     */
    default StreamCall beginStream(MethodDescriptor method) {
        throw new RpcException(Status.UNIMPLEMENTED, "this channel carries no streams: " + method.fullName());
    }
}
