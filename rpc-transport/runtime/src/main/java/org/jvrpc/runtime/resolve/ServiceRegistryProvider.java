package org.jvrpc.runtime.resolve;

/**
 * Lets servers tell where they are, in registries of one scheme. Found as a {@link java.util.ServiceLoader} has it. Any
 * thread.
 */
public interface ServiceRegistryProvider {

    /** Returns what its targets begin with, before {@code ://}, in small letters, such as {@code zk}. */
    String scheme();

    /**
     * Registers a server that takes calls already. Waits for the registry for {@link ResolverContext#timeout} at most.
     * The registration stands for as long as the process lives and the registry can be reached: where the registry
     * forgot it (a session expired), the provider registers it again by itself.
     *
     * @param target all of it, as the server's user gave it
     * @param self the server, with all of its addresses
     * @throws IllegalArgumentException when it is no target of the scheme
     * @throws org.jvrpc.api.RpcException UNAVAILABLE when the registry cannot be reached in time, PERMISSION_DENIED
     *     when it refuses: the server does not start
     */
    Registration register(String target, ServerEntry self, ResolverContext context);
}
