package org.jvrpc.ibverbs.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.contract.Deadline;

/** A process that is killed while it sends: its peer is told, and everything that it had posted ends. */
@NeedsRdmaDevice
final class PeerDeathTest {

    private static final AtomicInteger PORT = new AtomicInteger(23_100);
    private static final int RECEIVES = 32;
    private static final int MESSAGES = 200;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @ParameterizedTest(name = "{0} driver, the peer is the {1}ing side")
    @CsvSource({"user, listen", "user, connect", "generic, listen", "generic, connect"})
    void aKilledPeerIsNoticedAndEverythingPostedIsFlushed(String driver, String role) {
        String address = "rdma://10.9.0." + (role.equals("listen") ? 2 : 1) + ":" + PORT.getAndIncrement();
        try (Device device = Devices.open("rdma://10.9.0.1:0?device=rxe0&driver=" + driver);
                EventChannel channel = device.createChannel(); Node node = new Node(device, 4096)) {
            for (int i = 0; i < RECEIVES; i++) {
                node.receive(ReceiveRequest.of(i, Sge.of(node.mr, 0, 64)));
            }
            try (Listener listener = role.equals("connect") ? device.listen(address, channel) : null;
                    ChildJvm child = FaultMain.start(role, driver, address)) {
                child.expect("READY", LIMIT);
                Connection connection = listener != null
                        ? FaultMain.awaitRequest(listener, channel).accept(node.qp, new byte[0])
                        : device.connect(address, node.qp, new byte[0], channel, 10_000_000_000L);
                exchange(node);
                child.kill();
                noticed(node, connection, channel);
                connection.close();
            }
        }
    }

    private static void exchange(Node node) {
        for (int i = 0; i < MESSAGES; i++) {
            assertEquals(WcStatus.SUCCESS, node.await(node.receives, i));
            node.receive(ReceiveRequest.of(i + RECEIVES, Sge.of(node.mr, 0, 64)));
        }
    }

    private static void noticed(Node node, Connection connection, EventChannel channel) {
        Deadline deadline = Deadline.ofMillis(Node.LIMIT_MS);
        while (connection.isConnected()) {
            channel.await(100_000_000);
            deadline.turn(() -> "the peer's death is not noticed");
        }
        assertEquals(QueuePairState.ERR, node.qp.state());
        node.post(SendRequest.send(7, Sge.of(node.mr, 0, 64)).signalled());
        assertEquals(WcStatus.WR_FLUSH_ERR, node.await(node.sends, 7));
        // The peer may have sent as much as there were receives for: one more is there for nobody.
        node.receive(ReceiveRequest.of(MESSAGES + RECEIVES, Sge.of(node.mr, 0, 64)));
        int flushed = 0;
        for (int i = MESSAGES; i <= MESSAGES + RECEIVES; i++) {
            flushed += node.await(node.receives, i) == WcStatus.WR_FLUSH_ERR ? 1 : 0;
        }
        assertTrue(flushed > 0, "flushed=0");
        assertFalse(node.receives.poll(node.wc), node.wc::toString);
    }
}
