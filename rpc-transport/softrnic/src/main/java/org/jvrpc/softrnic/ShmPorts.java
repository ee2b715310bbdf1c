package org.jvrpc.softrnic;

import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.shm.ShmAddress;
import org.jvrpc.softrnic.shm.ShmChannel;
import org.jvrpc.softrnic.shm.ShmConnection;
import org.jvrpc.softrnic.shm.ShmConnector;
import org.jvrpc.softrnic.shm.ShmListener;
import org.jvrpc.softrnic.shm.ShmNode;
import org.jvrpc.softrnic.shm.ShmPort;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePair;

/** Ports in shared memory. Any thread. */
final class ShmPorts implements PortFactory {

    @Override
    public Port create(SoftQueuePair qp) {
        return new ShmPort(qp.device().node(), qp, qp.group());
    }

    @Override
    public boolean isPrivate() {
        return true;
    }

    @Override
    public Listener listen(SoftDevice device, String address, EventChannel channel) {
        ShmNode node = device.node();
        return node.keep(ShmListener.open(node, ShmAddress.parse(address), (ShmChannel) channel));
    }

    @Override
    public Connection connect(SoftDevice device, String address, QueuePair qp, byte[] privateData,
            EventChannel channel, long timeoutNs, Runnable meanwhile) {
        ShmPort port = ShmConnection.portOf(qp);
        ShmNode node = device.node();
        return node.keep(ShmConnector.connect(
                node, ShmAddress.parse(address), port, privateData, (ShmChannel) channel, timeoutNs, meanwhile));
    }
}
