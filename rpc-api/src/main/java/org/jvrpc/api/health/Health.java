package org.jvrpc.api.health;

import java.util.concurrent.CompletableFuture;
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

    /**
     * Waits for another status than one that is known: to watch a service is to ask again with each answer.
     *
     * @param service as for {@link #check}
     * @param known what the caller knows
     * @return how it stands, as soon as that differs; after 20 s in any case, and at once where very many wait
     */
    CompletableFuture<ServingStatus> watch(String service, ServingStatus known);
}
