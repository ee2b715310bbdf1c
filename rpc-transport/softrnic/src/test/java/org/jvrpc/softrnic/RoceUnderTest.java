package org.jvrpc.softrnic;

import java.net.InetSocketAddress;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.roce.RoceNode;
import org.jvrpc.softrnic.roce.RocePort;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.contract.DeviceUnderTest;

/** The software RNIC with a port on UDP under the contract. */
public interface RoceUnderTest extends DeviceUnderTest {

    @Override
    default Device openDevice() {
        SharedMemoryFolder.path(); // fails where it would be the user's own folder
        RoceNode node = RoceNode.open(new InetSocketAddress("127.0.0.1", 0));
        return SoftDevice.open(System::nanoTime, new PortFactory() {
            @Override
            public Port create(SoftQueuePair qp) {
                return new RocePort(node, qp, qp.device().arena());
            }

            @Override
            public void close() {
                node.close();
            }
        });
    }

    @Override
    default String address() {
        return "roce://127.0.0.1:1";
    }

    @Override
    default boolean attaches() {
        return false;
    }

    @Override
    default boolean connects() {
        return false;
    }

    @Override
    default boolean completesLater() {
        return true;
    }

    @Override
    default boolean knowsPeers() {
        return false;
    }

    @Override
    default boolean sendsDatagrams() {
        return false;
    }
}
