package org.jvrpc.softrnic.rc;

import java.nio.ByteBuffer;
import org.jvrpc.softrnic.memory.Copy;

/**
 * Delivers short messages that lie outside any send ring, as {@link Engine} delivers those of its own. One thread; used
 * again.
 */
public final class Delivery {

    private final Landing landing = new Landing();

    /**
     * Copies a message of 1 byte or more into the peer's oldest receive, or into the CQE that tells of it.
     *
     * @param from read once; its owner may change it meanwhile
     * @return false, with nothing done, when the peer is not ready, has no receive, has one whose first SGE is too
     *     short, lies across windows or has a key that refuses, or its CQ is full: {@link WqeExecutor} says why
     */
    public boolean deliver(Responder peer, ByteBuffer from, int at, int bytes) {
        if (bytes < 1 || peer.chains() != null || !peer.isReady()
                || !landing.find(peer, bytes, peer.hasOwnReceives())) {
            return false;
        }
        Copy.bytes(from, at, landing.target(), landing.to(), bytes);
        landing.publish(peer, bytes);
        return true;
    }
}
