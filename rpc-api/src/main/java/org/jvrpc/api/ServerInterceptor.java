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

    /**
     * Says whether it stands around a call; default true. Asked on the thread that is about to run the handler, so that
     * a call which no interceptor stands around costs what it does without them. The call ends with whatever it throws.
     */
    default boolean intercepts(ServerContext call) {
        return true;
    }

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
