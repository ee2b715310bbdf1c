package org.jvrpc.ibverbs.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.roce.capture.Frame;
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
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/** Which traffic class packets of rxe have, as they come to the network device of the peer. */
@NeedsRdmaDevice
final class RxeTrafficClassTest {

    private static final int QKEY = 0x1234;
    private static final int TIMEOUT_US = 200_000;
    private static final int FRAME_BYTES = 1 << 14;

    /** A device with a QP in INIT. */
    private static final class End implements AutoCloseable {

        private final Device device;
        private final ProtectionDomain pd;
        private final CompletionQueue cq;
        private final MemoryRegion memory;
        private final QueuePair qp;
        private final WorkCompletion wc = new WorkCompletion();

        End(int number, String driver, ServiceClass service) {
            device = Devices.open(
                    "rdma://10.9.0." + (number + 1) + ":0?device=rxe" + number + "&gid=1&driver=" + driver);
            pd = device.allocatePd();
            cq = device.createCq(CompletionQueueAttributes.ofDepth(16));
            memory = pd.allocate(256, Access.LOCAL_WRITE);
            QueuePairAttributes attributes = new QueuePairAttributes(cq, cq);
            qp = pd.createQp(service == null ? attributes.datagram(QKEY) : attributes.serviceClass(service));
            qp.init();
        }

        Sge sge() {
            return Sge.of(memory, 0, 128);
        }

        void await() {
            Deadline deadline = Deadline.usual();
            while (!cq.poll(wc)) {
                deadline.turn(() -> "no completion");
            }
            assertEquals(true, wc.succeeded(), wc::toString);
        }

        @Override
        public void close() {
            device.close();
        }
    }

    /** Returns the traffic classes of all RoCE packets that came to the second device until it is quiet. */
    private static Set<Integer> classes(PacketSocket wire) {
        Set<Integer> classes = new TreeSet<>();
        ByteBuffer bytes = ByteBuffer.allocateDirect(FRAME_BYTES);
        Frame frame = new Frame();
        while (wire.receive(bytes)) {
            if (frame.parse(bytes)) {
                classes.add(frame.trafficClass());
            }
        }
        return classes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"generic", "user"})
    void messagesAndAcknowledgementsOfAConnectedQpHaveTheOneOfTheQp(String driver) {
        try (PacketSocket wire = new PacketSocket("v1", TIMEOUT_US);
                End near = new End(0, driver, ServiceClass.ofLevel(5));
                End far = new End(1, driver, ServiceClass.ofLevel(3))) {
            byte[] endpoint = near.qp.endpoint();
            near.qp.connect(far.qp.endpoint());
            far.qp.connect(endpoint);
            for (End[] way : new End[][] {{near, far}, {far, near}}) { // then what comes are acknowledgements
                way[1].qp.prepareReceive(ReceiveRequest.of(1, way[1].sge())).execute();
                way[0].qp.prepareSend(SendRequest.send(2, way[0].sge()).signalled()).execute();
                way[0].await();
                way[1].await();
                assertEquals(Set.of(160), classes(wire));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"generic", "user"})
    void datagramsHaveTheOneOfTheirHandle(String driver) {
        try (PacketSocket wire = new PacketSocket("v1", TIMEOUT_US);
                End near = new End(0, driver, null);
                End far = new End(1, driver, null)) {
            near.qp.ready();
            far.qp.ready();
            for (int trafficClass : new int[] {0, 224, 0, 184}) {
                Destination to = new Destination(near.pd.createAh(far.qp.endpoint(), 0,
                        new ServiceClass(0, trafficClass)), far.qp.number(), QKEY);
                far.qp.prepareReceive(ReceiveRequest.of(1, far.sge())).execute();
                near.qp.prepareSend(SendRequest.datagram(2, to, Sge.of(near.memory, 0, 8)).signalled()).execute();
                near.await();
                far.await();
                assertEquals(Set.of(trafficClass), classes(wire));
            }
        }
    }
}
