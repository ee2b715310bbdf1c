package org.jvrpc.ibverbs.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.contract.Deadline;

/** Memory that is given back while the device may still use it. */
@NeedsRdmaDevice
final class MemoryFaultTest {

    private static final int LARGE = 64 << 10;

    private static Device open(int which, String driver) {
        return Devices.open("rdma://10.9.0." + (which + 1) + ":0?device=rxe" + which + "&driver=" + driver);
    }

    private static void expect(Set<WcStatus> expected, WcStatus status) {
        assertTrue(expected.contains(status), "status=" + status + " expected=" + expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void aReceiveWhoseMemoryIsGoneFailsOnBothSides(String driver) {
        try (Device a = open(0, driver); Device b = open(1, driver);
                Node left = new Node(a, 4096); Node right = new Node(b, 4096)) {
            Node.connect(left, right);
            MemoryRegion gone = right.pd.allocate(4096, Node.ALL);
            right.receive(ReceiveRequest.of(1, Sge.of(gone, 0, 64)));
            gone.close();
            left.post(SendRequest.send(2, Sge.of(left.mr, 0, 64)).signalled());
            expect(EnumSet.of(WcStatus.REM_OP_ERR, WcStatus.REM_INV_REQ_ERR), left.await(left.sends, 2));
            expect(EnumSet.of(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR, WcStatus.WR_FLUSH_ERR),
                    right.await(right.receives, 1));
            assertEquals(QueuePairState.ERR, left.qp.state());
            assertEquals(QueuePairState.ERR, right.qp.state());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void aSendThatWaitsForAReceiveFailsWhenItsMemoryIsGone(String driver) {
        try (Device a = open(0, driver); Device b = open(1, driver);
                Node left = new Node(a, 4096); Node right = new Node(b, LARGE)) {
            Node.connect(left, right);
            MemoryRegion gone = left.pd.allocate(LARGE, Node.ALL);
            left.post(SendRequest.send(2, Sge.of(gone, 0, LARGE)).signalled());
            gone.close();
            right.receive(ReceiveRequest.of(1, Sge.of(right.mr, 0, LARGE)));
            assertEquals(WcStatus.LOC_PROT_ERR, left.await(left.sends, 2));
            assertEquals(QueuePairState.ERR, left.qp.state());
            right.qp.error();
            assertEquals(WcStatus.WR_FLUSH_ERR, right.await(right.receives, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void writesToMemoryThatGoesMeanwhileFailAndReachNobodyElse(String driver) {
        try (Device a = open(0, driver); Device b = open(1, driver);
                Node left = new Node(a, LARGE); Node right = new Node(b, 4096)) {
            Node.connect(left, right);
            MemoryRegion target = right.pd.allocate(LARGE, Node.ALL);
            SendRequest write = SendRequest.write(3, target.address(), target.rkey(), Sge.of(left.mr, 0, LARGE));
            left.mr.buffer(0, LARGE).put(0, new byte[] {1});
            WcStatus status = WcStatus.SUCCESS;
            Deadline deadline = Deadline.usual();
            for (int i = 0; status == WcStatus.SUCCESS; i++) {
                left.post(write.signalled());
                if (i == 20) {
                    target.close();
                }
                status = left.await(left.sends, 3);
                deadline.turn(() -> "the region is closed and still takes writes");
            }
            assertEquals(WcStatus.REM_ACCESS_ERR, status);
        }
    }
}
