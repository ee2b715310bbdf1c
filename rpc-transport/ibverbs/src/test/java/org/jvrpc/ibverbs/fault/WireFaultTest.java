package org.jvrpc.ibverbs.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;
import org.jvrpc.verbs.contract.Pattern;

/** Wires that lose, repeat, reorder and corrupt packets, that are silent for a while, or cut. */
@NeedsRdmaDevice
final class WireFaultTest {

    private static final int OPERATIONS = 1_000;
    private static final int MOST_LOST_RESULTS = 20;
    private static final int LIMIT_MS = 60_000;
    private static final int LIMIT_S = 60;
    /** What the machine may take on top of what the device does. */
    private static final long SLACK_MS = 10_000;

    private static Wire wire;

    @BeforeAll
    static void makeWire() {
        wire = Wire.make();
    }

    @AfterAll
    static void takeWireAway() {
        if (wire != null) {
            wire.close();
        }
    }

    @AfterEach
    void repair() {
        wire.calm();
        wire.mend();
    }

    /**
     * Linux 6.1 acknowledges a SEND or WRITE that is repeated by the number of the last request that it did; when that
     * is an atomic whose own answer is lost or late, the atomic ends without its result. The user driver sees that in
     * its ring and says BAD_RESP_ERR, never a wrong result: then it goes on by a new connection here. The generic
     * driver sees no ring, so it has no atomics here.
     */
    @ParameterizedTest(name = "{0} driver, {1}")
    @CsvSource({
        "user, loss 1%", "user, loss 5%", "user, duplicate 10%", "user, corrupt 3%",
        "user, delay 300us reorder 25% 50%", "user, loss 2% delay 300us reorder 25% 50%",
        "generic, loss 3% duplicate 5%", "generic, corrupt 3%",
        "generic, delay 300us reorder 25% 50%",
    })
    void verbsTakeEffectExactlyOnceAndWithTheirContents(String driver, String netem) {
        long seed = Pattern.seed("every verb takes effect once, " + driver + ", " + netem);
        try (Device a = Wire.open(0, driver); Device b = Wire.open(1, driver)) {
            wire.disturb(netem);
            long startNs = System.nanoTime();
            int connections = 0;
            for (int done = 0; done < OPERATIONS; connections++) {
                assertTrue(connections <= MOST_LOST_RESULTS, "results lost=" + connections + " operations=" + done);
                done += run(a, b, seed + connections, driver.equals("user"), OPERATIONS - done);
            }
            System.out.println(driver + ", " + netem + ": operations=" + OPERATIONS + " results lost="
                    + (connections - 1) + " ms=" + (System.nanoTime() - startNs) / 1_000_000);
        }
    }

    /** Returns how many operations took effect until all had, or one ended without its result. */
    private static int run(Device a, Device b, long seed, boolean atomics, int operations) {
        try (Node left = new Node(a, Traffic.BYTES); Node right = new Node(b, Traffic.BYTES)) {
            Node.connect(left, right);
            Traffic traffic = new Traffic(left, right, seed, atomics);
            traffic.run(operations, LIMIT_MS);
            if (traffic.failure() == null) {
                traffic.finish();
                return operations;
            }
            assertEquals(WcStatus.BAD_RESP_ERR, traffic.failure(), () -> "after operations=" + traffic.completed());
            assertTrue(atomics, "only atomics lose their results");
            assertEquals(QueuePairState.ERR, left.qp.state());
            return traffic.completed() - traffic.flushed();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void aWireThatIsCutAtTheFarEndUnderLoadEndsEachSendOnceAndInTime(String driver) {
        long seed = Pattern.seed("a wire is cut, " + driver);
        try (Device a = Wire.open(0, driver); Device b = Wire.open(1, driver)) {
            try (Node left = new Node(a, Traffic.BYTES); Node right = new Node(b, Traffic.BYTES)) {
                Node.connect(left, right);
                Traffic traffic = new Traffic(left, right, seed);
                traffic.run(100, LIMIT_MS);
                Background<Traffic> load = Background.start("load", () -> {
                    traffic.run(Integer.MAX_VALUE / 2, LIMIT_MS);
                    return traffic;
                });
                Deadline.until("load", () -> traffic.completed() > 200);
                wire.cut(1);
                long cutNs = System.nanoTime();
                load.join(LIMIT_S);
                long tookMs = (System.nanoTime() - cutNs) / 1_000_000;
                assertEquals(WcStatus.RETRY_EXC_ERR, traffic.failure());
                assertTrue(tookMs <= TimeUnit.NANOSECONDS.toMillis(a.longestSendNs()) + SLACK_MS, "ms=" + tookMs);
                assertEquals(QueuePairState.ERR, left.qp.state());
                System.out.println(driver + ": sends ended after ms=" + tookMs + " flushed=" + traffic.flushed());
                wire.mend();
            }
            try (Node left = new Node(a, Traffic.BYTES); Node right = new Node(b, Traffic.BYTES)) {
                Node.connect(left, right); // the devices themselves are none the worse for it
                Traffic traffic = new Traffic(left, right, seed);
                traffic.run(200, LIMIT_MS);
                assertNull(traffic.failure());
                traffic.finish();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void connectingOverACutWireEndsInItsTimeAndSoDoesClosingAConnection(String driver) {
        try (Device a = Wire.open(0, driver); Device b = Wire.open(1, driver);
                EventChannel left = a.createChannel(); EventChannel right = b.createChannel();
                Listener listener = b.listen("rdma://" + Wire.HOSTS[1] + ":22000", right);
                Node client = new Node(a, 4096); Node late = new Node(a, 4096); Node server = new Node(b, 4096)) {
            Background<Connection> accepting = Background.start("server", () -> {
                Deadline deadline = Deadline.usual();
                var request = listener.poll();
                for (; request == null; request = listener.poll()) {
                    right.await(10_000_000);
                    deadline.turn(() -> "no request");
                }
                return request.accept(server.qp, new byte[0]);
            });
            Connection connection = a.connect(listener.address(), client.qp, new byte[0], left, 10_000_000_000L);
            Connection accepted = accepting.join(LIMIT_S);
            wire.disturb("loss 100%");
            long startNs = System.nanoTime();
            ConnectionException e = assertThrows(ConnectionException.class,
                    () -> a.connect(listener.address(), late.qp, new byte[0], left, 1_000_000_000L));
            long connectMs = (System.nanoTime() - startNs) / 1_000_000;
            assertTrue(e.reason() == ConnectionException.Reason.TIMEOUT
                    || e.reason() == ConnectionException.Reason.UNREACHABLE, e.toString());
            assertTrue(connectMs < 1_000 + SLACK_MS, "ms=" + connectMs);
            connection.close();
            accepted.close();
            long closeMs = (System.nanoTime() - startNs) / 1_000_000 - connectMs;
            assertTrue(closeMs < SLACK_MS, "ms=" + closeMs);
            System.out.println(driver + ": connect gave up after ms=" + connectMs + " (" + e.getMessage()
                    + "), closed in ms=" + closeMs);
        }
    }

    @Test
    void aDeviceWhoseWireIsCutSaysSo() {
        wire.cut(0);
        String states = Devices.list().toString();
        assertTrue(Devices.list().stream().anyMatch(device -> device.name().equals(Wire.device(0))
                && device.state().contains("port 1 is down")), states);
        wire.mend();
        assertTrue(Devices.list().stream().anyMatch(device -> device.name().equals(Wire.device(0))
                && device.isReady()), () -> Devices.list().toString());
    }
}
