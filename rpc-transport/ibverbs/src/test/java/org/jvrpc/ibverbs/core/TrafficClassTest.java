package org.jvrpc.ibverbs.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.Sge;

/** Which traffic class packets of a software RNIC have on their way, as the kernel of the receiver tells. */
final class TrafficClassTest {

    private static final int QPN = 0x4711;
    private static final int QKEY = 1;
    private static final short MTU = 1024;
    private static final int RC_SEND_ONLY = 4;
    private static final int UD_SEND_ONLY = 0x64;

    /** As {@code softrnic.roce.RoceEndpoint} lays out: there is no QP, only a socket. */
    private static byte[] endpoint(InetSocketAddress at) {
        byte[] host = at.getAddress().getAddress();
        return ByteBuffer.allocate(14 + host.length).put((byte) 1).put((byte) host.length)
                .putShort((short) at.getPort()).putInt(QPN).putInt(0).putShort(MTU).put(host).array();
    }

    private static ClassReceiver receiver(String host) throws IOException {
        InetAddress at = InetAddress.getByName(host);
        assumeTrue(at.getAddress().length == 4 || NetworkInterface.getByInetAddress(at) != null,
                "the host has no address " + host);
        return new ClassReceiver(at, 0);
    }

    private static void arrives(ClassReceiver receiver, int opcode, int trafficClass) {
        assertEquals(trafficClass, receiver.receive());
        assertEquals(opcode, receiver.packet().get(0) & 0xff, "opcode");
        assertEquals(QPN, receiver.packet().getInt(4) & 0xffffff, "QPN");
    }

    /** The UDP port of the peer's socket is that of the device's, too, where the address says so. */
    private static String device(InetSocketAddress peer, boolean symmetric) {
        return symmetric ? "roce://127.0.0.2:1?udp=" + peer.getPort() + "&from=127.0.0.1"
                : "roce://" + (peer.getAddress().getAddress().length == 4 ? "127.0.0.1" : "[::1]") + ":1";
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.2, false, 0", "127.0.0.2, false, 160", "127.0.0.2, false, 255", "127.0.0.2, true, 0",
        "127.0.0.2, true, 96", "::1, false, 0", "::1, false, 224"})
    void messagesOfAConnectedQpHaveTheOneOfTheQp(String host, boolean symmetric, int trafficClass) throws IOException {
        try (ClassReceiver receiver = receiver(host);
                Device device = Devices.open(device(receiver.address(), symmetric))) {
            ProtectionDomain pd = device.allocatePd();
            MemoryRegion memory = pd.allocate(8, Access.LOCAL_WRITE);
            CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(8));
            QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).serviceClass(new ServiceClass(0, trafficClass)));
            qp.init();
            qp.connect(endpoint(receiver.address()));
            qp.prepareSend(SendRequest.send(1, Sge.of(memory, 0, 8)).signalled()).execute();
            arrives(receiver, RC_SEND_ONLY, trafficClass);
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.2, false", "127.0.0.2, true", "::1, false"})
    void datagramsOfOneQpHaveThoseOfTheirHandles(String host, boolean symmetric) throws IOException {
        try (ClassReceiver receiver = receiver(host);
                Device device = Devices.open(device(receiver.address(), symmetric))) {
            ProtectionDomain pd = device.allocatePd();
            MemoryRegion memory = pd.allocate(8, Access.LOCAL_WRITE);
            CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(8));
            QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).datagram(QKEY));
            qp.init();
            qp.ready();
            for (int trafficClass : List.of(0, 32, 224, 0, 32, 184)) {
                var handle = pd.createAh(endpoint(receiver.address()), 0, new ServiceClass(0, trafficClass));
                Destination to = new Destination(handle, QPN, QKEY);
                qp.prepareSend(SendRequest.datagram(1, to, Sge.of(memory, 0, 8))).execute();
                arrives(receiver, UD_SEND_ONLY, trafficClass);
            }
        }
    }
}
