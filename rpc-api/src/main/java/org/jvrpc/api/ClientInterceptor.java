package org.jvrpc.api;

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

    /** The rest of the chain, to be run at most once. */
    @FunctionalInterface
    interface Next {
        /** Lets the call go on. */
        void proceed();
    }
}
