package org.jvrpc.api.health;

import org.jvrpc.api.RpcService;

/**
 * Asks a server whether it can serve. Each server has this service beside its own, as a light call, which interceptors
 * and authorizers see as any other; one that has none yet answers UNIMPLEMENTED. Many threads.
 */
@RpcService
public interface Health {

    /**
     * Returns how a service stands.
     *
     * @param service its name on the wire; empty for the server as a whole
     * @return SERVICE_UNKNOWN for a service that the server neither has nor was told of
     */
    ServingStatus check(String service);
}
