package org.jvrpc.runtime.invocation;

import java.util.List;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.api.wire.ObjectCodec;

/**
 * A way to one service by which a call may be attempted several times, each with a time and metadata of its own. Where
 * there are several servers, each attempt may go to another. Many threads.
 */
public interface AttemptChannel extends RpcChannel {

    /**
     * Begins an attempt as {@link RpcChannel#begin} begins a call: waits for a slot within the attempt's time. Runs
     * none of the client's interceptors, only those of the attempt.
     *
     * @param attempt its time and its metadata; hears what travelled beside the answer
     */
    ClientCall begin(MethodDescriptor method, ClientInvocation attempt);

    /**
     * Begins a call with a stream, which is made once.
     *
     * @param outer interceptors that stand around it, outside those of this channel
     */
    StreamCall beginStream(MethodDescriptor method, List<ClientInterceptor> outer);

    @Override
    default StreamCall beginStream(MethodDescriptor method) {
        return beginStream(method, List.of());
    }

    /**
     * Returns what arguments are written with, as things stand: where the server is replaced by one with another
     * version of the interface before an attempt, that fails, unrun, with UNAVAILABLE.
     */
    ObjectCodec layouts();

    /**
     * Returns how many times a call that is known not to have run is made again at once, whatever its policy: once, and
     * once more for each server beyond the first, of which one after the other may be about to go. Never more than the
     * call's time allows.
     */
    default int transparentAttempts() {
        return 1;
    }

    /** Returns the nanoseconds that a call of a method has. */
    long limitNs(MethodDescriptor method);
}
