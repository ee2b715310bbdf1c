package org.jvrpc.runtime.invocation;

import java.util.function.BiConsumer;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call whose callbacks hear what a future would be completed with; what one throws is logged. One thread. */
public abstract class FutureCall extends ClientCall {

    private static final Logger LOG = LoggerFactory.getLogger(FutureCall.class);

    /** Returns the method that is called. */
    protected abstract MethodDescriptor method();

    /** Sends the request, and has something done, once, when the call has ended: on the thread for that. */
    protected abstract <R> void invoke(ResultReader<R> how, BiConsumer<R, Throwable> whenEnded);

    @Override
    public final <R> void invokeCallback(ResultReader<R> how, RpcCallback<R> heard) {
        call(how, heard::completed);
    }

    @Override
    public final void invokeCallbackInt(ResultReader.OfInt how, RpcCallback.OfInt heard) {
        call(how, (result, failure) -> heard.completed(result == null ? 0 : result, failure));
    }

    @Override
    public final void invokeCallbackLong(ResultReader.OfLong how, RpcCallback.OfLong heard) {
        call(how, (result, failure) -> heard.completed(result == null ? 0 : result, failure));
    }

    @Override
    public final void invokeCallbackDouble(ResultReader.OfDouble how, RpcCallback.OfDouble heard) {
        call(how, (result, failure) -> heard.completed(result == null ? 0 : result, failure));
    }

    private <R> void call(ResultReader<R> how, BiConsumer<R, Throwable> heard) {
        MethodDescriptor method = method();
        invoke(how, (R result, Throwable failure) -> {
            try {
                heard.accept(result, failure);
            } catch (Throwable t) {
                LOG.error("a callback of {} threw", method.fullName(), t);
            }
        });
    }
}
