package org.jvrpc.runtime.resolve;

import java.util.List;
import org.jvrpc.api.RpcException;

/**
 * Tells a client where the servers of one target are, now and whenever that changes. Its methods return soon: whatever
 * waits does so on a thread of the resolver's own ({@link ResolverContext#threads}). Any thread.
 */
public interface NameResolver extends AutoCloseable {

    /**
     * Hears of servers. Its methods return soon and throw nothing; any thread, and the resolver calls one at a time.
     */
    interface Listener {

        /**
         * These servers are there: all of them, in place of those that were told before. An empty list says that there
         * are none; one that could not be looked up is {@link #onError}. Entries with the id of one that was there are
         * that server: its sessions go on where its addresses are the same. After {@link NameResolver#close} it does
         * nothing.
         *
         * @param servers {@value ServerEntry#MAX_SERVERS} at most: those behind them are not used; of two with the same
         *     id the first is used
         */
        void onServers(List<ServerEntry> servers);

        /**
         * They could not be looked up. The client goes on with those that it knew last; where it knows none, its calls
         * fail with this message, or wait. The resolver tries again by itself, less and less often.
         *
         * @param failure UNAVAILABLE, or another status that calls are to have when no server is known
         */
        void onError(RpcException failure);
    }

    /**
     * Begins to look, and tells the listener what it finds, first as soon as it can, perhaps before this returns.
     * Called once.
     */
    void start(Listener listener);

    /**
     * Hint: a connection to a server failed or was lost, so that the servers may be others. May come often and from
     * many threads; a resolver that is told of changes by itself may do nothing.
     */
    void refresh();

    /** Ends. Idempotent; returns within 2 s, also when a lookup hangs: its thread is a daemon, and ends later. */
    @Override
    void close();
}
