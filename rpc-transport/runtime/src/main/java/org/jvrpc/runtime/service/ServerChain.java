package org.jvrpc.runtime.service;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.ServerInterceptor;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;

/**
 * One interceptor of a call and what comes after it, the handler last. Each may be run once: an interceptor that is
 * called twice would let a call pass that one further in has refused. One thread.
 */
public final class ServerChain implements ServerInterceptor.Next {

    private final ServerInterceptor[] interceptors;
    private final int index;
    private final ServiceTable.Method method;
    private final ServerCall call;
    private boolean begun;
    private Throwable failure;

    public ServerChain(ServerInterceptor[] interceptors, int index, ServiceTable.Method method, ServerCall call) {
        this.interceptors = interceptors;
        this.index = index;
        this.method = method;
        this.call = call;
    }

    @Override
    public void proceed() throws Exception {
        if (begun) {
            throw new IllegalStateException("proceed() was called twice for " + method.descriptor().fullName());
        }
        begun = true;
        try {
            run();
        } catch (Exception | Error e) {
            failure = e;
            throw e;
        } catch (Throwable t) {
            failure = t;
            throw new IllegalStateException(t);
        }
    }

    private void run() throws Throwable {
        if (index == interceptors.length) {
            method.skeleton().dispatch(method.descriptor().index(), call);
            return;
        }
        ServerChain next = new ServerChain(interceptors, index + 1, method, call);
        interceptors[index].intercept(call, next);
        if (!next.begun) {
            throw new RpcException(Status.CANCELLED, "an interceptor did not let the call go on: "
                    + method.descriptor().fullName());
        }
        if (next.failure != null) { // the interceptor kept it to itself, but there is no answer to give
            throw next.failure;
        }
    }
}
