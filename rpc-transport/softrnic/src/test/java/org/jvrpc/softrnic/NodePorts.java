package org.jvrpc.softrnic;

import org.jvrpc.softrnic.datagram.Route;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.roce.RoceNode;
import org.jvrpc.softrnic.roce.RocePort;
import org.jvrpc.softrnic.roce.UdPort;
import org.jvrpc.softrnic.roce.ring.QpTally;
import org.jvrpc.softrnic.roce.ring.RemoteKeys;

/** Ports of a device that has one node, and ends it. */
record NodePorts(RoceNode node) implements PortFactory {

    @Override
    public Port create(SoftQueuePair qp) {
        return qp.isDatagram() ? new UdPort(node, qp, qp.device().arena())
                : new RocePort(() -> node, new QpTally(), qp, qp.device().arena(), RemoteKeys.plain(), null,
                        qp.device().name());
    }

    @Override
    public int maxDatagramBytes(SoftDevice device) {
        return node.mtu();
    }

    @Override
    public Route openRoute(SoftDevice device, int pd, byte[] endpoint, int trafficClass) {
        return node.openRoute(pd, endpoint, trafficClass);
    }

    @Override
    public void close() {
        node.close();
    }
}
