package org.jvrpc.api;

/** Stands around every call that a server handles. Runs on the thread that runs the handler. */
@FunctionalInterface
public interface ServerInterceptor {

    /**
     * Handles one call: looks at it and lets the handler run, or refuses it by throwing an {@link RpcException}.
     *
     * @throws Exception what the handler throws, to be passed on
     */
    void intercept(ServerContext call, Next next) throws Exception;

    /** The rest of the chain, to be run at most once. */
    @FunctionalInterface
    interface Next {
        /**
         * Lets the call go on.
         *
         * @throws Exception what the handler throws
         */
        void proceed() throws Exception;
    }
}
