package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.Admission;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.VerbsException;

/** What becomes of those who connect, and that a refusal leaves nothing behind. */
class AcceptorTest {

    private static final Hello ASKED = Hello.request(Protocol.CALLS, 4, 256, 1 << 20);
    private static final InetAddress HOST = InetAddress.getLoopbackAddress();

    private final Device device = Devices.open(ShmFolder.address());
    private final SessionLimits limits = new SessionLimits();
    private final SessionBudget budget = new SessionBudget(limits);
    private final List<String> did = new ArrayList<>();
    private Admission admission = Admission.EVERYBODY;
    private String unavailable;
    private RuntimeException fault;
    private Link link;
    private Bodies bodies;
    /** How many were to be the first thread's when a client asked. */
    private int waiting;

    @AfterEach
    void close() {
        device.close();
    }

    private final class Server implements ServerTransport.Server {

        @Override
        public String unavailable() {
            return unavailable;
        }

        @Override
        public int thread(IntUnaryOperator of) {
            waiting = of.applyAsInt(0);
            return 0;
        }

        @Override
        public long maxBytes() {
            return 12_345;
        }

        @Override
        public Runnable session(long id, int thread, Hello asked, Link made, Bodies memory) {
            did.add("session " + id + " units=" + asked.units());
            if (fault != null) {
                throw fault;
            }
            link = made;
            bodies = memory;
            return () -> did.add("begins");
        }

        @Override
        public void deviceIsGone() {
            throw new AssertionError("it is not");
        }
    }

    private final class Request implements ConnectionRequest {

        private final byte[] data;
        private byte[] rejected;
        private byte[] accepted;
        private RuntimeException left;
        /** Of one who has yet to show that it is there. */
        private Peer peer;

        Request(Hello hello) {
            data = hello == null ? new byte[3] : hello.encode();
        }

        @Override
        public byte[] privateData() {
            return data;
        }

        @Override
        public InetAddress peerHost() {
            return HOST;
        }

        @Override
        public Connection accept(QueuePair qp, byte[] privateData) {
            throw new AssertionError("it has a channel");
        }

        @Override
        public Connection accept(QueuePair qp, byte[] privateData, EventChannel channel) {
            assertNotNull(qp);
            assertNotNull(channel);
            did.add("accept");
            if (left != null) {
                throw left;
            }
            accepted = privateData;
            return peer;
        }

        @Override
        public boolean isProven() {
            return peer == null;
        }

        @Override
        public void reject(byte[] privateData) {
            rejected = privateData;
        }
    }

    /** Somebody who was accepted. */
    private final class Peer implements Connection {

        private boolean connected = true;
        private boolean established;

        @Override
        public QueuePair qp() {
            throw new AssertionError("nobody asks");
        }

        @Override
        public byte[] privateData() {
            return new byte[0];
        }

        @Override
        public boolean isConnected() {
            return connected;
        }

        @Override
        public boolean isEstablished() {
            return established;
        }

        @Override
        public void close() {
            did.add("disconnect");
        }
    }

    private Request accept(Hello hello) {
        return accept(new Request(hello));
    }

    private Request accept(Request request) {
        acceptor().accept(request);
        return request;
    }

    private Acceptor acceptor() {
        return new Acceptor(new Server(), () -> "test://here", Protocol.CALLS, device,
                new EventChannel[] {device.createChannel()}, Clock.SYSTEM, host -> admission.refusal(host), budget);
    }

    private Peer acceptUnproven(Acceptor acceptor) {
        Request request = new Request(ASKED);
        request.peer = new Peer();
        acceptor.accept(request);
        assertEquals(ASKED.grant(12_345, 1), Hello.decode(request.accepted));
        assertFalse(acceptor.settle());
        assertEquals(List.of("accept"), did, "it has no session before it has shown that it is there");
        assertEquals("sessions=0 peers=0 session bytes=0 body bytes=0 expected=1", budget.toString());
        return request.peer;
    }

    @Test
    void whoMayNotBeThereTakesNoPlaceOfOthers() {
        limits.maxSessions(1);
        Acceptor acceptor = acceptor();
        Peer late = acceptUnproven(acceptor);
        assertNull(accept(ASKED).rejected);
        late.established = true;
        assertTrue(acceptor.settle());
        assertEquals(List.of("accept", "session 1 units=4", "accept", "begins", "disconnect"), did);
        link.close();
        bodies.close();
        assertTrue(budget.isEmpty(), budget::toString);
    }

    @Test
    void whoHasShownThatItIsThereAndWentGetsNoSession() {
        Acceptor acceptor = acceptor();
        Peer peer = acceptUnproven(acceptor);
        peer.established = true;
        peer.connected = false;
        assertTrue(acceptor.settle());
        assertEquals(List.of("accept", "disconnect"), did);
        assertTrue(budget.isEmpty(), budget::toString);
    }

    @Test
    void whoMayNotBeThereMakesRoomWhenTheQueuesOfAllTakeTooMuch() {
        limits.sessionMemory(1 << 20);
        Acceptor acceptor = acceptor();
        List<Peer> peers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Request request = new Request(ASKED);
            request.peer = new Peer();
            acceptor.accept(request);
            assertNotNull(request.accepted, "client " + i);
            peers.add(request.peer);
        }
        long most = budget.mostExpectedBytes() / LinkLayout.queueBytes(Protocol.CALLS, ASKED.units());
        assertEquals("sessions=0 peers=0 session bytes=0 body bytes=0 expected=" + most, budget.toString());
        assertEquals(20 - most, did.stream().filter("disconnect"::equals).count());
        peers.get(0).established = true; // too late
        assertFalse(acceptor.settle());
        peers.get(19).established = true;
        assertTrue(acceptor.settle());
        link.close();
        bodies.close();
        acceptor.close();
        assertTrue(budget.isEmpty(), budget::toString);
    }

    @Test
    void threadsAreChosenByThoseWhoMayCome() {
        Acceptor acceptor = acceptor();
        acceptUnproven(acceptor);
        assertEquals(0, waiting);
        Request second = new Request(ASKED);
        second.peer = new Peer();
        acceptor.accept(second);
        assertEquals(1, waiting);
        acceptor.close();
    }

    @Test
    void whoShowsThatItIsThereWhenTheServerEndsIsDisconnected() {
        Acceptor acceptor = acceptor();
        acceptUnproven(acceptor).established = true;
        unavailable = "planted";
        assertTrue(acceptor.settle());
        assertEquals(List.of("accept", "disconnect"), did);
        assertTrue(budget.isEmpty(), budget::toString);
    }

    @Test
    void whoMayNotBeThereHasASessionOnceItHasShownThatItIs() {
        Acceptor acceptor = acceptor();
        acceptUnproven(acceptor).established = true;
        assertTrue(acceptor.settle());
        assertEquals(List.of("accept", "session 1 units=4", "begins"), did);
        assertFalse(acceptor.settle());
        link.close();
        bodies.close();
        assertTrue(budget.isEmpty());
    }

    @Test
    void whoNeverShowsThatItIsThereLeavesNothing() {
        Acceptor acceptor = acceptor();
        acceptUnproven(acceptor).connected = false;
        assertTrue(acceptor.settle());
        assertEquals(List.of("accept", "disconnect"), did);
        assertTrue(budget.isEmpty(), budget::toString);
    }

    @Test
    void whoShowsThatItIsThereWhenItCannotBeServedIsDisconnected() {
        Acceptor acceptor = acceptor();
        acceptUnproven(acceptor).established = true;
        fault = new VerbsException("planted", "no memory");
        assertTrue(acceptor.settle());
        assertEquals(List.of("accept", "session 1 units=4", "disconnect"), did);
        assertTrue(budget.isEmpty(), budget::toString);
    }

    @Test
    void theEndDisconnectsWhoHasNotShownThatItIsThere() {
        Acceptor acceptor = acceptor();
        acceptUnproven(acceptor);
        acceptor.close();
        assertEquals(List.of("accept", "disconnect"), did);
        assertTrue(budget.isEmpty(), budget::toString);
    }

    /** Over a network each QP has memory of its own for packets, of which the JVM has so much. */
    @Test
    void whoCannotHaveAQueuePairLeavesNoQueues() {
        List<CompletionQueue> made = new ArrayList<>();
        ProtectionDomain pd = device.allocatePd();
        Device exhausted = over(Device.class, device, (method, result) -> {
            if (result instanceof CompletionQueue cq) {
                made.add(cq);
            }
            return result instanceof ProtectionDomain domain ? over(ProtectionDomain.class, domain, (create, qp) -> {
                if (create.equals("createQp")) {
                    ((QueuePair) qp).close();
                    throw new OutOfMemoryError("planted");
                }
                return qp;
            }) : result;
        });
        Request request = new Request(ASKED);
        new Acceptor(new Server(), () -> "test://here", Protocol.CALLS, exhausted,
                new EventChannel[] {device.createChannel()}, Clock.SYSTEM, host -> null, budget).accept(request);
        refused(Status.RESOURCE_EXHAUSTED, "server cannot: planted", request);
        assertEquals(2, made.size());
        for (CompletionQueue cq : made) {
            String message = assertThrows(VerbsException.class,
                    () -> pd.createQp(new QueuePairAttributes(cq, cq))).getMessage();
            assertTrue(message.contains("completion queue is closed"), message);
        }
    }

    /** What does as {@code real}, but that the results of its methods are changed, by the method's name. */
    private static <T> T over(Class<T> type, T real, BiFunction<String, Object, Object> change) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> {
                    try {
                        return change.apply(method.getName(), method.invoke(real, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void refused(Status status, String text, Request request) {
        assertNull(request.accepted);
        RpcException told = Hello.refused(request.rejected, new IllegalStateException("refused"));
        assertEquals(status, told.status());
        assertEquals("refused: " + text, told.getMessage());
        assertTrue(budget.isEmpty(), budget::toString);
    }

    @Test
    void whoIsTakenIsToldWhatIsGrantedBeforeItsSessionBegins() {
        Request request = accept(ASKED);
        assertNull(request.rejected);
        Hello granted = Hello.decode(request.accepted);
        assertEquals(ASKED.grant(12_345, 1), granted);
        assertEquals(List.of("session 1 units=4", "accept", "begins"), did);
        assertEquals("sessions=1 peers=1 session bytes=" + LinkLayout.sessionBytes(Protocol.CALLS, 4, 4, 256)
                + " body bytes=0", budget.toString());
        assertEquals(256, link.slotBytes());
        link.close();
        bodies.close();
        assertTrue(budget.isEmpty());
    }

    @Test
    void whoeverCannotBeTakenIsToldWhy() {
        refused(Status.FAILED_PRECONDITION, "not a jvRPC client", accept((Hello) null));
        refused(Status.FAILED_PRECONDITION, "server of jvRPC calls, not of jvRPC message sessions",
                accept(Hello.request(Protocol.MESSAGES, 4, 256, 1)));
        unavailable = "planted";
        refused(Status.UNAVAILABLE, "planted", accept(ASKED));
        assertEquals(List.of(), did);
    }

    @Test
    void whoIsNotAdmittedIsToldWhy() {
        admission = host -> {
            assertSame(HOST, host);
            return "planted";
        };
        refused(Status.RESOURCE_EXHAUSTED, "planted", accept(ASKED));
        admission = host -> {
            throw new IllegalStateException("planted");
        };
        refused(Status.RESOURCE_EXHAUSTED, "server cannot say whether it admits this client:"
                + " java.lang.IllegalStateException: planted", accept(ASKED));
        assertEquals(List.of(), did);
    }

    @Test
    void whereThereIsNoRoomNothingIsCommitted() {
        limits.maxSessions(1);
        SessionBudget.Share share = budget.admit(null);
        Request request = accept(ASKED);
        share.close();
        refused(Status.RESOURCE_EXHAUSTED, "max sessions 1 reached", request);
        limits.maxSessions(2).sessionMemory(1 << 20);
        share = budget.admit(null);
        share.takeSlots(1 << 19);
        request = accept(ASKED);
        share.close();
        refused(Status.RESOURCE_EXHAUSTED,
                "max memory of sessions 1048576 bytes reached: used=524288 left for one session=32768", request);
        assertEquals(List.of(), did);
    }

    @Test
    void whatCannotBeMadeLeavesNothing() {
        fault = new VerbsException("planted", "no memory");
        refused(Status.RESOURCE_EXHAUSTED, "server cannot: planted: no memory", accept(ASKED));
        fault = null;
        Request leaver = new Request(ASKED);
        leaver.left = new ConnectionException(ConnectionException.Reason.UNREACHABLE, "planted", null);
        accept(leaver);
        assertNull(leaver.rejected, "nobody is there to be told");
        assertTrue(budget.isEmpty(), budget::toString);
        assertEquals(List.of("session 1 units=4", "session 1 units=4", "accept"), did);
    }
}
