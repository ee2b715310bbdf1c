package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** Addresses of the port, and what becomes of sockets; connections themselves are in the contract. */
class RoceConnectTest extends RoceEnds {

    private final int port = RoceUnderTest.freePort("127.0.0.1");
    private final String address = "roce://127.0.0.1:" + port;

    private static void says(Throwable e, String... parts) {
        for (String part : parts) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
    }

    private void link(String server, String client) {
        Device right = open(server);
        Device left = open(client);
        ShmEnd rightEnd = new ShmEnd(right, 4);
        ShmEnd leftEnd = new ShmEnd(left, 4);
        try (Listener listener = right.listen(server, rightEnd.channel)) {
            CompletableFuture<Connection> connecting = connecting(left, client, leftEnd);
            Connection taken = request(listener).accept(rightEnd.qp, NONE);
            Connection made = connecting.join();
            exercise(leftEnd, rightEnd, 1);
            exercise(rightEnd, leftEnd, 2);
            made.close();
            Waits.until("the end", () -> !taken.isConnected());
            assertEquals(QueuePairState.ERR, rightEnd.qp.state());
        }
    }

    /** A peer that sends at once shows that it is there, and waits where receives are posted only then. */
    @Test
    void whatIsSentBeforeReceivesArePostedIsDelivered() {
        Device right = open(address);
        Device left = open(address);
        ShmEnd rightEnd = new ShmEnd(right, 4);
        ShmEnd leftEnd = new ShmEnd(left, 4);
        try (Listener listener = right.listen(address, rightEnd.channel)) {
            CompletableFuture<Connection> connecting = connecting(left, address, leftEnd);
            ConnectionRequest request = request(listener);
            assertFalse(request.isProven());
            Connection taken = request.accept(rightEnd.qp, NONE);
            Connection made = connecting.join();
            assertTrue(made.isEstablished());
            leftEnd.mr.buffer(0, 8).putLong(0, 5);
            assertEquals(1, leftEnd.qp.prepareSend(SendRequest.send(1, leftEnd.sge(0, 8)).signalled()).execute());
            Waits.until("the proof", taken::isEstablished);
            WorkCompletion wc = new WorkCompletion();
            assertFalse(leftEnd.sendCq.poll(wc), "nothing takes it yet");
            assertEquals(1, rightEnd.qp.prepareReceive(ReceiveRequest.of(7, rightEnd.sge(64, 8))).execute());
            Waits.until("the message", () -> rightEnd.receiveCq.poll(wc));
            assertEquals(WcStatus.SUCCESS, wc.status());
            assertEquals(5, rightEnd.mr.buffer(64, 8).getLong(0));
            Waits.until("its completion", () -> leftEnd.sendCq.poll(wc));
            assertEquals(WcStatus.SUCCESS, wc.status());
            made.close();
        }
    }

    /** Peers who know one key, or the layout of the table, know no other. */
    @Test
    void keysThatPeersKnowAreNotThoseOfTheTable() {
        Device device = open(address);
        ShmEnd end = new ShmEnd(device, 4);
        int same = 0;
        for (int i = 0; i < 32; i++) {
            try (MemoryRegion region = end.pd.allocate(64, Access.LOCAL_WRITE | Access.REMOTE_WRITE)) {
                same += region.rkey() == region.lkey() || region.rkey() >>> 16 == region.lkey() >>> 16 ? 1 : 0;
            }
        }
        assertTrue(same < 3, "same=" + same);
        end.close();
    }

    @Test
    void peersOfOneUdpPortTalkBetweenTwoAddresses() {
        link("roce://127.0.0.1:7471?udp=" + port, "roce://127.0.0.1:7471?udp=" + port + "&from=127.0.0.2");
    }

    /** Whose addresses mean something on one link alone, which is named behind a percent sign. */
    @Test
    void peersOfOneLinkTalkByLinkLocalAddresses() throws SocketException {
        String own = NetworkInterface.networkInterfaces().filter(RoceConnectTest::isUp)
                .flatMap(NetworkInterface::inetAddresses)
                .filter(a -> a instanceof Inet6Address && a.isLinkLocalAddress()).map(InetAddress::getHostAddress)
                .findFirst().orElse(null);
        assumeTrue(own != null, "the host has no address that is link-local");
        link("roce://[" + own + "]:" + port, "roce://[" + own + "]:" + port);
    }

    private static boolean isUp(NetworkInterface candidate) {
        try {
            return candidate.isUp();
        } catch (SocketException e) {
            return false;
        }
    }

    @Test
    void bothSidesOfAProcessMayShareOneSocket() {
        link("roce://127.0.0.1:7471?udp=" + port, "roce://127.0.0.1:7471?udp=" + port);
    }

    @Test
    void aNamedHostIsLookedUp() {
        link("roce://localhost:" + port, "roce://localhost:" + port);
    }

    @Test
    void servicesShareAUdpPortByTheirOwnPorts() {
        Device device = open(address);
        EventChannel channel = device.createChannel();
        Listener first = device.listen("roce://127.0.0.1:1?udp=" + port, channel);
        assertThrows(VerbsException.class, () -> device.listen("roce://127.0.0.1:1?udp=" + port, channel));
        Listener any = device.listen("roce://127.0.0.1:0?udp=" + port, channel);
        assertTrue(any.address().matches("roce://127.0.0.1:[1-9]\\d*\\?udp=" + port), any.address());
        first.close();
        device.listen("roce://127.0.0.1:1?udp=" + port, channel);
        says(assertThrows(VerbsException.class, () -> device.listen(address, channel)), address, "with ?udp=");
    }

    @Test
    void anyPortIsTakenForPort0() {
        Device device = open(address);
        Listener listener = device.listen("roce://127.0.0.1:0", device.createChannel());
        assertTrue(listener.address().matches("roce://127.0.0.1:[1-9]\\d*"), listener.address());
        ShmEnd end = end(device);
        CompletableFuture<Connection> connecting = connecting(device, listener.address(), end);
        request(listener).reject(NONE);
        assertEquals(Reason.REJECTED, ((ConnectionException) failure(connecting)).reason());
    }

    @Test
    void aUdpPortOfAnotherProcessIsInUse() throws IOException {
        Device device = open(address);
        EventChannel channel = device.createChannel();
        try (DatagramChannel other = DatagramChannel.open().bind(new InetSocketAddress("127.0.0.1", port))) {
            says(assertThrows(VerbsException.class, () -> device.listen(address, channel)), address,
                    "UDP port " + port, "in use by another process");
            assertTrue(other.isOpen());
        }
        device.listen(address, channel);
    }

    @Test
    void aUdpPortComesFreeWhenItsDeviceCloses() throws IOException {
        Device device = open(address);
        device.listen(address, device.createChannel());
        device.close();
        DatagramChannel.open().bind(new InetSocketAddress("127.0.0.1", port)).close();
    }

    private boolean isFree() {
        try (DatagramChannel other = DatagramChannel.open().bind(new InetSocketAddress("127.0.0.1", port))) {
            return other.isOpen();
        } catch (IOException e) {
            return false; // in use
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?udp="})
    void aUdpPortComesFreeWithItsLastListener(String standard) {
        String at = standard.isEmpty() ? address : "roce://127.0.0.1:7471?udp=" + port;
        Device device = open(at);
        Device other = open(at);
        EventChannel channel = device.createChannel();
        Listener first = device.listen(at, channel);
        Listener second = standard.isEmpty() ? null : other.listen("roce://127.0.0.1:1?udp=" + port, channel);
        first.close();
        if (second != null) {
            assertFalse(isFree());
            second.close();
        }
        Waits.until("the port to be free", this::isFree);
        device.listen(at, channel).close();
        Waits.until("the port to be free again", this::isFree);
    }

    @Test
    void aUdpPortIsKeptUntilItsLastConnectionEnds() {
        Device right = open(address);
        Device left = open(address);
        ShmEnd rightEnd = new ShmEnd(right, 4);
        ShmEnd leftEnd = new ShmEnd(left, 4);
        Listener listener = right.listen(address, rightEnd.channel);
        CompletableFuture<Connection> connecting = connecting(left, address, leftEnd);
        Connection taken = request(listener).accept(rightEnd.qp, NONE);
        Connection made = connecting.join();
        listener.close();
        exercise(leftEnd, rightEnd, 1);
        exercise(rightEnd, leftEnd, 2);
        assertFalse(isFree());
        taken.close();
        Waits.until("the peer to be told", () -> !made.isConnected());
        Waits.until("the port to be free", this::isFree);
    }

    @Test
    void aRequestThatWasTakenKeepsTheUdpPortUntilItIsAnswered() {
        Device server = open(address);
        ShmEnd end = end(server);
        Listener listener = server.listen(address, end.channel);
        Device client = open(address);
        ShmEnd clients = end(client);
        CompletableFuture<Connection> connecting = connecting(client, address, clients);
        ConnectionRequest request = request(listener);
        listener.close();
        assertFalse(isFree());
        Connection taken = request.accept(end.qp, NONE);
        assertTrue(connecting.join().isConnected());
        exercise(clients, end, 1);
        taken.close();
        Waits.until("the port to be free", this::isFree);
    }

    @Test
    void aHostThatListensElsewhereRefusesAtOnce() {
        Device device = open(address);
        device.listen(address, device.createChannel());
        ShmEnd end = new ShmEnd(device, 4);
        String other = "roce://127.0.0.1:" + (port == 1 ? 2 : 1) + "?udp=" + port; // of the same socket
        Device symmetric = open("roce://127.0.0.1:9?udp=" + RoceUnderTest.freePort("127.0.0.1"));
        ConnectionException e = assertThrows(ConnectionException.class,
                () -> symmetric.connect(other, end(symmetric).qp, NONE, end.channel, TIMEOUT_NS));
        assertEquals(Reason.LOCAL, e.reason(), e.getMessage()); // the process has it without ?udp=
        Device far = open(address);
        far.listen("roce://127.0.0.2:5?udp=" + port, far.createChannel());
        e = assertThrows(ConnectionException.class, () -> far.connect(
                "roce://127.0.0.2:6?udp=" + port + "&from=127.0.0.3", end(far).qp, NONE, end.channel, TIMEOUT_NS));
        assertEquals(Reason.UNREACHABLE, e.reason());
        says(e, "nobody listens at roce://127.0.0.2:6");
    }

    private static ShmEnd end(Device device) {
        return new ShmEnd(device, 4);
    }

    @Test
    void aClosedUdpPortIsSaidAtOnce() {
        Device device = open(address);
        ShmEnd end = end(device);
        ConnectionException e = assertThrows(ConnectionException.class,
                () -> device.connect(address, end.qp, NONE, end.channel, TIMEOUT_NS));
        assertEquals(Reason.UNREACHABLE, e.reason());
        says(e, "nobody listens at " + address, "UDP port " + port + " of 127.0.0.1 is closed");
        assertEquals(QueuePairState.ERR, end.qp.state());
    }

    @Test
    void aDeviceThatClosesEndsTheWaitOfOneWhoConnects() {
        Device server = open(address);
        Listener listener = server.listen(address, server.createChannel());
        Device client = open(address);
        ShmEnd end = end(client);
        CompletableFuture<Connection> connecting = connecting(client, address, end);
        request(listener);
        client.close();
        Throwable why = failure(connecting);
        says(why, address);
        assertEquals(Reason.LOCAL, ((ConnectionException) why).reason(), "it waited for the answer");
    }

    @Test
    void aServerThatGoesWithoutAnAnswerEndsTheWaitOfOneWhoConnects() {
        Device server = open(address);
        Listener listener = server.listen(address, server.createChannel());
        Device client = open(address);
        CompletableFuture<Connection> connecting = connecting(client, address, end(client));
        request(listener);
        server.close();
        ConnectionException e = (ConnectionException) failure(connecting);
        assertEquals(Reason.UNREACHABLE, e.reason(), e.getMessage());
        says(e, address, "closed without an answer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"roce://", "roce://host", "roce://:7", "roce://host:70000", "roce://host:-1",
        "roce://host:7/x", "roce://::1:7", "roce://[::1:7", "roce://host:7?udp=0", "roce://host:7?udp=65536",
        "roce://host:7?udp=x", "roce://host:7?udp", "roce://host:7?udp=1&udp=2", "roce://host:7?device=x",
        "roce://a b:7", "shm://host:7"})
    void anAddressThatIsNoneIsRefusedByItsText(String wrong) {
        Device device = open("roce://127.0.0.1:1");
        EventChannel channel = device.createChannel();
        says(assertThrows(IllegalArgumentException.class, () -> device.listen(wrong, channel)), wrong);
        ShmEnd end = end(device);
        says(assertThrows(IllegalArgumentException.class,
                () -> device.connect(wrong, end.qp, NONE, channel, TIMEOUT_NS)), wrong);
        assertEquals(QueuePairState.INIT, end.qp.state());
    }

    @Test
    void anAddressThatCannotBeListenedAtSaysWhy() {
        Device device = open("roce://127.0.0.1:1");
        EventChannel channel = device.createChannel();
        says(assertThrows(VerbsException.class, () -> device.listen("roce://0.0.0.0:" + port, channel)),
                "0.0.0.0", "name the one that peers connect to");
        says(assertThrows(VerbsException.class, () -> device.listen("roce://192.0.2.1:" + port, channel)),
                "192.0.2.1", "is it an address of this host?");
        says(assertThrows(VerbsException.class, () -> device.listen("roce://no-such-host.invalid:7", channel)),
                "no-such-host.invalid");
        assertThrows(IllegalArgumentException.class,
                () -> device.connect("roce://127.0.0.1:0", end(device).qp, NONE, channel, TIMEOUT_NS));
    }

    @Test
    void aDeviceForAHostThatNobodyKnowsIsNotOpened() {
        says(assertThrows(VerbsException.class, () -> open("roce://no-such-host.invalid:7")), "no-such-host.invalid");
    }
}
