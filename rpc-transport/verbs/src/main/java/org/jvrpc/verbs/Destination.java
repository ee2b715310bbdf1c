package org.jvrpc.verbs;

import java.util.Objects;

/**
 * Where a datagram goes.
 *
 * @param handle the way to the peer's device
 * @param qpNumber of the peer's QP, 0 to 2<sup>24</sup>-1
 * @param qkey of the peer's QP: with another one, the message is dropped and nobody is told
 */
public record Destination(AddressHandle handle, int qpNumber, int qkey) {

    /** Checks the values. */
    public Destination {
        Objects.requireNonNull(handle, "handle");
        QueuePairAttributes.inRange("qpNumber", qpNumber, 0, 0xffffff);
    }
}
