package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.Admission;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.transport.Connected;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.runtime.transport.Transport;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;

/** How a client connects by its device, how a server listens by its own, and what is left where that fails. */
class DeviceEndsTest {

    private static final String ADDRESS = "still://there";
    private static final Hello ASKED = Hello.request(Protocol.CALLS, 4, 1024, 1 << 20);
    private static final long TIMEOUT_NS = 123;

    private final StillDevice device = new StillDevice();
    private final List<String> told = new ArrayList<>();

    @BeforeEach
    void open() {
        StillDevices.next(device);
    }

    private static byte[] granted(Hello hello) {
        return hello.grant(5000, 9).encode();
    }

    // ---- clients

    private ClientDevice client() {
        ClientDevice client = new ClientDevice(ADDRESS, Clock.SYSTEM);
        device.did.clear();
        return client;
    }

    private List<String> ends() {
        return device.did().stream().filter(what -> what.startsWith("close") || what.equals("disconnect")).toList();
    }

    private <T extends Exception> T refused(Class<T> type) {
        ClientDevice client = client();
        T e = assertThrows(type, () -> client.connect(ASKED, TIMEOUT_NS));
        assertEquals(List.of("close qp", "close receive", "close send", "close memory", "close domain"), ends());
        return e;
    }

    @Test
    void aServerThatGrantsAllSlotsAtOnceMeetsReceivesForTheirAnswers() {
        Hello asked = Hello.request(Protocol.CALLS, 64, 512, 1).withFirst(4);
        device.privateData = granted(Hello.request(Protocol.CALLS, 64, 512, 1));
        ClientDevice client = client();
        Connected connected = client.connect(asked, TIMEOUT_NS);
        assertEquals(64, connected.granted().firstUnits());
        assertEquals(ReceiveBatches.count(Protocol.CALLS.answers(64)), device.prepared.size());
        assertEquals(512, connected.link().body(63).capacity());
        connected.close();
        client.close();
    }

    @Test
    void aClientConnectsWithWhatItAsksFor() {
        device.privateData = granted(Hello.request(Protocol.CALLS, 2, 512, 1));
        device.connecting = (name, arguments) -> {
            assertEquals(ADDRESS, arguments[0]);
            assertTrue(arguments[1] instanceof QueuePair);
            assertArrayEquals(ASKED.encode(), (byte[]) arguments[2]);
            assertEquals(TIMEOUT_NS, arguments[4]);
            return device.connection();
        };
        ClientDevice client = client();
        Connected connected = client.connect(ASKED, TIMEOUT_NS);
        assertEquals(Hello.decode(device.privateData), connected.granted());
        assertEquals(512, connected.link().slotBytes(), "the server has room for less");
        assertTrue(connected.link().isConnected());
        assertEquals(ReceiveBatches.count(Protocol.CALLS.answers(4)), device.prepared.size());
        device.did.clear();
        connected.close();
        assertEquals(List.of("disconnect", "close qp", "close receive", "close send", "close memory", "close domain"),
                device.did());
        client.close();
        assertEquals(List.of("close device"), device.did());
    }

    @Test
    void aClientThatIsRefusedIsToldWhatTheServerSays() {
        device.connecting = (name, arguments) -> {
            throw new ConnectionException(ConnectionException.Reason.REJECTED, "refused",
                    Hello.refuse(Status.RESOURCE_EXHAUSTED, "planted", 100), null);
        };
        RpcException e = refused(RpcException.class);
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
        assertEquals("connect: refused: planted", e.getMessage());
    }

    @Test
    void aClientThatFindsNobodyIsToldByItsDevice() {
        ConnectionException planted =
                new ConnectionException(ConnectionException.Reason.UNREACHABLE, "planted", null);
        device.connecting = (name, arguments) -> {
            throw planted;
        };
        assertSame(planted, refused(ConnectionException.class));
    }

    @Test
    void aClientThatCannotConnectLeavesNothing() {
        device.connecting = (name, arguments) -> {
            throw new VerbsException("planted", "no memory");
        };
        refused(VerbsException.class);
    }

    @Test
    void aServerThatGrantsMoreThanWasAskedForIsNotUsed() {
        device.privateData = granted(Hello.request(Protocol.CALLS, 5, 1024, 1));
        ClientDevice client = client();
        ConnectionException e = assertThrows(ConnectionException.class, () -> client.connect(ASKED, TIMEOUT_NS));
        assertEquals(ConnectionException.Reason.VERSION, e.reason());
        assertTrue(e.getMessage().contains(ADDRESS + " grants slots=5"), e.getMessage());
        assertEquals("disconnect", ends().get(0));
    }

    @Test
    void aClientSaysOfItsDeviceWhatItKnows() {
        ClientDevice client = client();
        assertEquals("still", client.device().name());
        assertEquals("still", client.name());
        assertEquals("", client.trouble());
        device.trouble = "planted";
        assertEquals("; planted", client.trouble());
        assertFalse(client.isLost());
        device.lost = true;
        assertTrue(client.isLost());
    }

    @Test
    void aClientThatCannotBeMadeLeavesNoDevice() {
        device.refused = "channel";
        assertThrows(VerbsException.class, () -> new ClientDevice(ADDRESS, Clock.SYSTEM));
        assertEquals(List.of("close device"), device.did());
    }

    // ---- servers

    private final class Server implements ServerTransport.Server {

        @Override
        public String unavailable() {
            return null;
        }

        @Override
        public long maxBytes() {
            return 1;
        }

        @Override
        public Runnable session(long id, int thread, Hello asked, Link link, Bodies bodies) {
            throw new AssertionError("nobody connects");
        }

        @Override
        public void deviceIsGone() {
            told.add("gone");
        }
    }

    private ServerDevice server() {
        SessionLimits limits = new SessionLimits();
        return new ServerDevice(new Server(), new Transport.Setup(Protocol.CALLS, ADDRESS, 1, "test-control",
                Admission.EVERYBODY, new SessionBudget(limits), Environment.SYSTEM));
    }

    @Test
    void aServerListensUntilItDoesNot() {
        ServerDevice server = server();
        assertEquals(ADDRESS + ":1", server.address(), "where its listener is");
        device.did.clear();
        server.unlisten();
        server.unlisten();
        assertEquals(List.of("close listener"), device.did());
        assertEquals(ADDRESS + ":1", server.address(), "where it was");
        server.listen("still://elsewhere");
        assertEquals("still://elsewhere:1", server.address());
        server.close();
    }

    @Test
    void aServerThatCannotListenLeavesNoDevice() {
        device.refused = "listen " + ADDRESS;
        assertThrows(VerbsException.class, this::server);
        assertEquals(List.of("channel", "close device"), device.did());
    }

    @Test
    void aServerKnowsItsControlThread() {
        ServerDevice server = server();
        server.unlisten();
        List<Boolean> seen = new ArrayList<>();
        server.bury(() -> seen.add(server.isControlThread()));
        assertFalse(server.isControlThread());
        server.start();
        server.stop();
        assertEquals(List.of(true), seen);
        assertEquals("close device", device.did.get(device.did.size() - 1));
    }

    /** The thread looks as often as the test waits; it hears of the loss in one wait, and ends in the next. */
    private void lose(ServerDevice server) {
        server.unlisten();
        int[] waits = new int[1];
        AtomicReference<Thread> stopper = new AtomicReference<>();
        device.whenAwaiting = () -> {
            device.lost = true;
            if (++waits[0] == 3) {
                Thread thread = new Thread(server::stop);
                thread.start();
                Await.until("the end to be waited for", () -> thread.getState() == Thread.State.TIMED_WAITING);
                stopper.set(thread);
            }
        };
        server.start();
        Await.until("the end of the thread", () -> stopper.get() != null && !stopper.get().isAlive());
    }

    @Test
    void aServerHearsOnceThatItsDeviceIsGone() {
        lose(server());
        assertEquals(List.of("gone"), told);
    }

    @Test
    void aServerThatEndsHearsNothingOfItsDevice() {
        ServerDevice server = server();
        server.expectEnd();
        lose(server);
        assertEquals(List.of(), told);
    }
}
