package org.jvrpc.api;

import org.jvrpc.api.stub.MethodDescriptor;

/**
 * Stands around every call that a client makes. Runs on the calling thread; its arguments are marshalled already.
 */
@FunctionalInterface
public interface ClientInterceptor {

    /**
     * Handles one call: looks at it, changes its metadata or deadline, and lets it go on, or refuses it by throwing an
     * {@link RpcException}. For a synchronous method {@link Next#proceed()} returns when the answer is there and throws
     * what the call throws; for an asynchronous or one-way method it returns when the request is on its way.
     */
    void intercept(ClientContext call, Next next);

    /**
     * Says whether it stands around the next call of a method that this thread makes; default true. Asked before
     * anything is made for the call, so that one which no interceptor stands around costs what it does without them.
     * Of a stream that is a result it is asked when the stub is called, though the call is made later. What it throws
     * the caller sees; it must not wait.
     */
    default boolean intercepts(MethodDescriptor method) {
        return true;
    }

    /** The rest of the chain, to be run at most once. */
    @FunctionalInterface
    interface Next {
        /** Lets the call go on. */
        void proceed();
    }
}
