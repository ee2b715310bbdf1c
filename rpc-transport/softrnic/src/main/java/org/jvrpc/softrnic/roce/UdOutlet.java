package org.jvrpc.softrnic.roce;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jvrpc.mlx5.AddressVector;
import org.jvrpc.roce.ud.UdRequester;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.softrnic.datagram.DatagramOutlet;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.verbs.WcStatus;

/** Sends the datagrams of a UD QP in packets. The QP's posting thread. */
final class UdOutlet implements DatagramOutlet {

    private final RoceNode node;
    private final int pd;
    private final UdRequester requester;
    private final PeerIcrcs icrcs;
    private final ByteBuffer packet = ByteBuffer.allocateDirect(RoceNode.MOST_PACKET);

    UdOutlet(RoceNode node, int pd, UdRequester requester) {
        this.node = node;
        this.pd = pd;
        this.requester = requester;
        this.icrcs = new PeerIcrcs(node.address().getAddress(), false);
    }

    @Override
    public WcStatus send(ByteBuffer memory, int vector, GatherList message, boolean hasImmediate, int immediate,
            boolean solicited) {
        RoceRoute route = node.routes().find(AddressVector.lid(memory, vector),
                AddressVector.gidHigh(memory, vector), AddressVector.gidLow(memory, vector));
        if (route == null || route.pd() != pd) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        if (message.total() > route.mtu()) {
            return WcStatus.LOC_LEN_ERR;
        }
        message.gather(packet, UdRequester.headerBytes(hasImmediate));
        int length = requester.write(packet, 0, (int) message.total(), hasImmediate, immediate, solicited,
                AddressVector.qpn(memory, vector), AddressVector.qkey(memory, vector));
        InetAddress to = route.address().getAddress();
        Icrc.write(packet, length, icrcs.find(to).icrc().compute(packet, 0, length, route.socket().port(),
                route.address().getPort(), Icrc.DONT_FRAGMENT));
        packet.limit(length + Icrc.BYTES).position(0);
        route.socket().send(packet, route.address());
        packet.clear();
        return WcStatus.SUCCESS;
    }
}
