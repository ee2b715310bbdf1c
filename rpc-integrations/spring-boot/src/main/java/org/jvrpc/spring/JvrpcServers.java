package org.jvrpc.spring;

import java.util.Map;
import org.jvrpc.runtime.RpcServer;

/** The servers of a context, by the names of their listeners. Any thread. */
public interface JvrpcServers {

    /** Returns those that run, in the order of the properties; none before the context has started. */
    Map<String, RpcServer> running();

    /**
     * Returns the address of the only server, with the port that was taken.
     *
     * @throws IllegalStateException when none runs, or several do
     */
    String address();

    /** Returns the address of a server by its listener's name. @throws IllegalArgumentException when none runs */
    String address(String listener);
}
