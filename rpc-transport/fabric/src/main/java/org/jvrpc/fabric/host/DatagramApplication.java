package org.jvrpc.fabric.host;

import java.nio.ByteBuffer;
import org.jvrpc.fabric.cost.HostCosts;

/** Who owns a QP of datagrams: is told what came, and what has left. */
public interface DatagramApplication {

    /**
     * A datagram has come.
     *
     * @param mac number of the host that it is from, and of its QP
     * @param from has the payload, from {@code at} on, during the call only
     * @param nicNs when the NIC had it, which may be earlier than now: {@link HostCosts}
     */
    void arrived(int mac, int qpn, ByteBuffer from, int at, int length, long nicNs);

    /**
     * The first bit of a datagram has left.
     *
     * @param cookie as it was sent with
     * @param nicNs when that was
     */
    void sent(long cookie, long nicNs);
}
