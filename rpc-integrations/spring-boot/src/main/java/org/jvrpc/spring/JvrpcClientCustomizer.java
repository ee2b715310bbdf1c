package org.jvrpc.spring;

import org.jvrpc.api.CallOptions;
import org.jvrpc.runtime.RpcClient;

/**
 * Changes clients before they connect, after the properties, for what these do not have. All beans of this type are
 * asked, in their order, when the context is refreshed.
 */
@FunctionalInterface
public interface JvrpcClientCustomizer {

    /** Changes one client. @param client its name, as in {@code jvrpc.clients.NAME} */
    void customize(String client, RpcClient.Builder builder);

    /** Changes the options of the client's stubs: credentials, metadata, and so on. */
    default CallOptions options(String client, CallOptions options) {
        return options;
    }
}
