package org.jvrpc.spring;

import org.jvrpc.runtime.RpcServer;

/**
 * Changes servers before they start, after the properties, for what these do not have. All beans of this type are
 * asked, in their order, when the context is refreshed and at each start of it.
 */
@FunctionalInterface
public interface JvrpcServerCustomizer {

    /**
     * Changes one server.
     *
     * @param listener the name of the listener; {@code address-0} and so on for {@code jvrpc.server.addresses}
     */
    void customize(String listener, RpcServer.Builder builder);
}
