package org.jvrpc.spring;

import java.util.Set;
import org.jvrpc.api.CallOptions;
import org.jvrpc.runtime.RpcClient;

/** The clients of a context, by their names. Any thread. */
public interface JvrpcClients {

    /** Returns the names, sorted. */
    Set<String> names();

    /**
     * Returns a client, connected: the first to ask connects it, and others wait for that.
     *
     * @throws org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException when no
     *     property says where it is to connect to
     * @throws org.jvrpc.api.RpcException when it cannot connect, as {@link RpcClient.Builder#connect()} does; whoever
     *     asks next tries again
     */
    RpcClient client(String name);

    /**
     * Makes a stub, which connects the client at its first call where it is not.
     *
     * @throws IllegalArgumentException when there is no generated code of the interface
     * @throws org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException when no
     *     property says where the client is to connect to
     */
    <T> T stub(String name, Class<T> service);

    /** As the other, with these options instead of those of properties and customizers. */
    <T> T stub(String name, Class<T> service, CallOptions options);

    /** Makes a stub of the asynchronous twin of a service, as {@link #stub(String, Class)} does. */
    Object asyncStub(String name, Class<?> service);
}
