package org.jvrpc.api.stub;

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
}
