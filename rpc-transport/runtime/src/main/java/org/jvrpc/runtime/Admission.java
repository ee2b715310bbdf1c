package org.jvrpc.runtime;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Says who may have a session, before anything is granted to the peer. Called by the thread of a server that takes
 * connections, one peer after the other: a handler that blocks here keeps everybody from connecting. An exception that
 * it throws refuses the peer.
 */
@FunctionalInterface
public interface Admission {

    /** Admits everybody. */
    Admission EVERYBODY = peerHost -> null;

    /**
     * Looks at a peer.
     *
     * @param peerHost address of the peer's host, as the network's connection manager has it; null for a process of
     *     this host, by shared memory
     * @return null to admit it, or why not, which the peer is told with RESOURCE_EXHAUSTED
     */
    @Nullable String refusal(@Nullable InetAddress peerHost);
}
