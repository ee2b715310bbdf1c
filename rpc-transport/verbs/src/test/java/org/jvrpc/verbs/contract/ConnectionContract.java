package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/** Connection management: who listens, who may come in, what is said then, and how the end is seen. */
public abstract class ConnectionContract extends DeviceContract {

    private static final long TIMEOUT_NS = Deadline.BOUND_NS;
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);
    private static final byte[] NONE = {};

    private EventChannel leftChannel;
    private EventChannel rightChannel;
    private String address;
    private Listener listener;

    ConnectionContract(DeviceUnderTest dut) {
        super(dut);
    }

    @Override
    void assumeNeeds() {
        assumeTrue(dut.connects(), "the device has no connection manager");
    }

    @BeforeEach
    void listen() {
        leftChannel = rig.left.channel();
        rightChannel = rig.right.channel();
        address = dut.address();
        listener = rig.keep(rig.right.device.listen(address, rightChannel));
    }

    private End end(Side side) {
        End end = side.end(Setup.usual());
        end.qp.init();
        return end;
    }

    private Connection connect(End end, byte[] privateData) {
        return rig.left.device.connect(address, end.qp, privateData, leftChannel, TIMEOUT_NS);
    }

    private Background<Connection> connecting(End end, byte[] privateData) {
        return Background.start("connector", () -> connect(end, privateData));
    }

    private ConnectionRequest request() {
        Deadline deadline = Deadline.usual();
        while (true) {
            rightChannel.await(1_000_000);
            ConnectionRequest request = listener.poll();
            if (request != null) {
                return request;
            }
            deadline.turn(() -> "nobody wants to connect");
        }
    }

    /** Both sides of a connection. */
    private record Link(Pair pair, Connection left, Connection right) {
    }

    private Link link() {
        End left = end(rig.left);
        End right = end(rig.right);
        Background<Connection> connector = connecting(left, HELLO);
        Connection accepted = rig.keep(request().accept(right.qp, NONE));
        return new Link(new Pair(left, right), rig.keep(connector.join(60)), accepted);
    }

    private static ConnectionException failure(Background<Connection> connector) {
        return assertThrows(ConnectionException.class, () -> connector.join(60));
    }

    private void awaitEnd(Connection connection, EventChannel channel) {
        Deadline deadline = Deadline.usual();
        while (connection.isConnected()) {
            channel.await(0);
            deadline.turn(() -> "the end of the connection was not noticed");
        }
    }

    @Test
    void aConnectionCarriesPrivateDataBothWaysAndThenMessages() {
        End left = end(rig.left);
        End right = end(rig.right);
        byte[] there = Pattern.bytes(1, rig.left.device.maxRequestBytes());
        byte[] back = Pattern.bytes(2, rig.right.device.maxAnswerBytes());
        Background<Connection> connector = connecting(left, there);
        ConnectionRequest request = request();
        assertArrayEquals(there, request.privateData());
        Connection accepted = rig.keep(request.accept(right.qp, back));
        Connection connected = rig.keep(connector.join(60));
        assertArrayEquals(back, connected.privateData());
        assertArrayEquals(there, accepted.privateData());
        assertEquals(left.qp, connected.qp());
        assertEquals(right.qp, accepted.qp());
        assertTrue(connected.isConnected() && accepted.isConnected());
        assertEquals(QueuePairState.RTS, left.qp.state());
        assertEquals(QueuePairState.RTS, right.qp.state());
        Pair pair = new Pair(left, right);
        pair.exercise(1);
        pair.reversed().exercise(2);
        assertNull(listener.poll());
    }

    @Test
    void theListenerKnowsItsAddress() {
        assertEquals(address, listener.address());
    }

    @Test
    void privateDataMayBeEmpty() {
        End left = end(rig.left);
        Background<Connection> connector = connecting(left, NONE);
        ConnectionRequest request = request();
        assertEquals(0, request.privateData().length);
        rig.keep(request.accept(end(rig.right).qp, NONE));
        assertEquals(0, rig.keep(connector.join(60)).privateData().length);
    }

    @Test
    void theAcceptingSideMaySendAtOnceWhenReceivesWerePostedBeforeConnecting() {
        for (int i = 0; i < 20; i++) {
            End left = rig.left.end(Setup.usual().rnr(0, 1000));
            End right = rig.right.end(Setup.usual().rnr(0, 1000));
            left.qp.init();
            right.qp.init();
            left.receive(1, 64, 8);
            right.receive(2, 64, 8);
            Background<Connection> connector = connecting(left, NONE);
            rig.keep(request().accept(right.qp, NONE));
            right.post(SendRequest.send(3, right.sge(0, 8)).signalled());
            rig.keep(connector.join(60));
            left.post(SendRequest.send(4, left.sge(0, 8)).signalled());
            right.sentOk(3, WcOpcode.SEND);
            left.receivedOk(1, 8);
            left.sentOk(4, WcOpcode.SEND);
            right.receivedOk(2, 8);
        }
    }

    @Test
    void aRejectionCarriesItsReason() {
        End left = end(rig.left);
        Background<Connection> connector = connecting(left, HELLO);
        request().reject("no more \u00fcsers".getBytes(StandardCharsets.UTF_8));
        ConnectionException e = failure(connector);
        assertEquals(Reason.REJECTED, e.reason());
        assertEquals("no more \u00fcsers", e.privateText());
        assertEquals(QueuePairState.ERR, left.qp.state());
        link();
    }

    @Test
    void nobodyListeningIsUnreachable() {
        End left = end(rig.left);
        left.receive(1, 0, 8);
        long startNs = System.nanoTime();
        ConnectionException e = assertThrows(ConnectionException.class, () -> rig.left.device.connect(
                dut.address(), left.qp, HELLO, leftChannel, TIMEOUT_NS));
        assertEquals(Reason.UNREACHABLE, e.reason());
        assertTrue(System.nanoTime() - startNs < TIMEOUT_NS / 2, "did not wait for the time-out");
        assertEquals(QueuePairState.ERR, left.qp.state());
        left.receivedFails(1, WcStatus.WR_FLUSH_ERR);
    }

    @Test
    void aListenerThatNeverAnswersIsATimeout() {
        End left = end(rig.left);
        long startNs = System.nanoTime();
        ConnectionException e = assertThrows(ConnectionException.class, () -> rig.left.device.connect(
                address, left.qp, HELLO, leftChannel, 100_000_000));
        long elapsedNs = System.nanoTime() - startNs;
        assertEquals(Reason.TIMEOUT, e.reason());
        assertTrue(elapsedNs >= 99_000_000 && elapsedNs < Deadline.BOUND_NS, "elapsedNs=" + elapsedNs);
        assertEquals(QueuePairState.ERR, left.qp.state());
    }

    @Test
    void aRequestWhoseSenderGaveUpCannotBeAccepted() {
        link(); // a first connection takes longer than the time that is given here
        ConnectionRequest request = null;
        for (long timeoutNs = 200_000_000; request == null; timeoutNs *= 3) { // until it arrives in time
            assertTrue(timeoutNs < Deadline.BOUND_NS, "no request arrived before its sender gave up");
            request = requestOfOneWhoGivesUp(timeoutNs);
        }
        End right = end(rig.right);
        ConnectionRequest late = request;
        if (dut.hearsLater()) {
            assertEndsSoon(late, right);
        } else {
            assertThrows(ConnectionException.class, () -> late.accept(right.qp, NONE));
        }
        link().pair().exercise(1);
    }

    /** Accepts a request whose sender has given up, which is not known here yet, perhaps. */
    private void assertEndsSoon(ConnectionRequest late, End right) {
        Connection made;
        try {
            made = late.accept(right.qp, NONE);
        } catch (ConnectionException e) {
            return; // it was known
        }
        rig.keep(made);
        Deadline.until("the end of a connection whose peer gave up", () -> !made.isConnected());
    }

    /** Returns null when the request did not arrive before its sender gave up. */
    private ConnectionRequest requestOfOneWhoGivesUp(long timeoutNs) {
        End left = end(rig.left);
        Background<Connection> connector = Background.start("connector", () -> rig.left.device.connect(
                address, left.qp, HELLO, leftChannel, timeoutNs));
        ConnectionRequest request = null;
        while (request == null && !connector.isDone()) {
            rightChannel.await(1_000_000);
            request = listener.poll();
        }
        failure(connector);
        return request;
    }

    @Test
    void aListenerThatClosesEndsTheWaitOfThoseWhoseRequestsNobodyTook() {
        End left = end(rig.left);
        Background<Connection> connector = Background.start("connector", () -> rig.left.device.connect(
                address, left.qp, HELLO, leftChannel, 60_000_000_000L));
        ConnectionRequest first = request();
        End other = end(rig.left);
        Background<Connection> second = Background.start("second connector", () -> rig.left.device.connect(
                address, other.qp, HELLO, leftChannel, 60_000_000_000L));
        Deadline deadline = Deadline.ofMillis(50);
        while (!deadline.isOver()) {
            rightChannel.await(1_000_000);
        }
        listener.close();
        assertEquals(Reason.UNREACHABLE, failure(second).reason());
        first.reject(NONE);
        assertEquals(Reason.REJECTED, failure(connector).reason());
    }

    @Test
    void aNameInUseIsRefusedAndComesFreeWhenTheListenerCloses() {
        for (Device device : new Device[] {rig.left.device, rig.right.device}) {
            VerbsException e = assertThrows(VerbsException.class, () -> device.listen(address, leftChannel));
            assertTrue(e.getMessage().contains(address), e.getMessage());
        }
        link().pair().exercise(1);
        listener.close();
        listener.close();
        if (dut.listensAnywhere()) {
            listener = rig.keep(rig.left.device.listen(address, leftChannel));
            listener.close();
        }
        listener = rig.keep(rig.right.device.listen(address, rightChannel));
        link().pair().exercise(2);
    }

    @Test
    void connectionsOutliveTheirListener() {
        Link link = link();
        listener.close();
        link.pair().exercise(1);
        rightChannel.await(0);
        leftChannel.await(0);
        assertTrue(link.left().isConnected() && link.right().isConnected());
    }

    @Test
    void aDisconnectIsSeenByThePeerWhoseQpIsFlushed() {
        for (boolean leftEnds : new boolean[] {true, false}) {
            Link link = link();
            link.pair().exercise(1);
            End stays = leftEnds ? link.pair().right() : link.pair().left();
            Connection other = leftEnds ? link.right() : link.left();
            stays.receive(11, 0, 8);
            stays.receive(12, 0, 8);
            (leftEnds ? link.left() : link.right()).close();
            awaitEnd(other, leftEnds ? rightChannel : leftChannel);
            stays.awaitState(QueuePairState.ERR);
            stays.receivedFails(11, WcStatus.WR_FLUSH_ERR);
            stays.receivedFails(12, WcStatus.WR_FLUSH_ERR);
            stays.post(SendRequest.send(13, stays.sge(0, 8)));
            stays.sentFails(13, WcStatus.WR_FLUSH_ERR);
            other.close();
            other.close();
            rig.assertQuiet();
        }
    }

    @Test
    void theSideThatClosesIsNotConnectedAnyMoreAndItsQpIsClosed() {
        Link link = link();
        var call = link.pair().left().qp.prepareSend(SendRequest.send(1));
        link.left().close();
        assertFalse(link.left().isConnected());
        assertFalse(call.valid());
        link.left().close();
    }

    @Test
    void messagesSentBeforeADisconnectAreStillThere() {
        Link link = link();
        End right = link.pair().right();
        right.receive(1, 64, 8);
        link.pair().left().putLong(0, 12345);
        link.pair().left().post(SendRequest.send(2, link.pair().left().sge(0, 8)).signalled());
        link.pair().left().sentOk(2, WcOpcode.SEND);
        link.left().close();
        awaitEnd(link.right(), rightChannel);
        right.receivedOk(1, 8);
        assertEquals(12345, right.getLong(64));
    }

    @Test
    void anErrorOfOneQpDoesNotHangThePeersConnection() {
        Link link = link();
        link.pair().left().qp.error();
        link.pair().right().post(SendRequest.send(1, link.pair().right().sge(0, 8)));
        link.pair().right().sentFails(1, WcStatus.RETRY_EXC_ERR);
        link.left().close();
        awaitEnd(link.right(), rightChannel);
    }

    @Test
    void privateDataThatIsTooLongIsRefusedAndNothingIsSent() {
        byte[] tooLong = new byte[rig.left.device.maxRequestBytes() + 1];
        byte[] tooLongBack = new byte[rig.right.device.maxAnswerBytes() + 1];
        End left = end(rig.left);
        assertThrows(IllegalArgumentException.class, () -> connect(left, tooLong));
        End other = end(rig.left);
        Background<Connection> connector = connecting(other, HELLO);
        ConnectionRequest request = request();
        End right = end(rig.right);
        assertThrows(IllegalArgumentException.class, () -> request.accept(right.qp, tooLongBack));
        assertThrows(IllegalArgumentException.class, () -> request.reject(tooLongBack));
        rig.keep(request.accept(right.qp, HELLO));
        assertArrayEquals(HELLO, rig.keep(connector.join(60)).privateData());
    }

    @Test
    void aQpThatIsNotInInitCannotConnect() {
        End left = rig.left.end(Setup.usual());
        long startNs = System.nanoTime();
        assertThrows(VerbsException.class, () -> connect(left, HELLO));
        End connected = link().pair().left();
        assertThrows(VerbsException.class, () -> connect(connected, HELLO));
        assertTrue(System.nanoTime() - startNs < TIMEOUT_NS, "refused at once, not when nobody answered");
        rightChannel.await(0);
        assertNull(listener.poll(), "nobody was asked");
    }

    @Test
    void aRequestIsAnsweredOnce() {
        Background<Connection> connector = connecting(end(rig.left), HELLO);
        ConnectionRequest request = request();
        rig.keep(request.accept(end(rig.right).qp, NONE));
        rig.keep(connector.join(60));
        End spare = end(rig.right);
        assertThrows(RuntimeException.class, () -> request.accept(spare.qp, NONE));
        assertThrows(RuntimeException.class, () -> request.reject(NONE));
    }

    @Test
    void manyConnectAtOnceAndEachGetsItsOwnPeer() {
        int count = 32;
        List<End> ends = new ArrayList<>();
        List<Background<Connection>> connectors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            End end = end(rig.left);
            ends.add(end);
            byte[] name = {(byte) i};
            EventChannel channel = rig.left.channel();
            connectors.add(Background.start("connector-" + i, () -> rig.left.device.connect(
                    address, end.qp, name, channel, TIMEOUT_NS)));
        }
        for (int i = 0; i < count; i++) {
            ConnectionRequest request = request();
            int who = request.privateData()[0];
            End right = end(rig.right);
            rig.keep(request.accept(right.qp, request.privateData()));
            Connection connection = rig.keep(connectors.get(who).join(60));
            assertEquals(who, connection.privateData()[0]);
            new Pair(ends.get(who), right).exercise(who);
        }
    }

    @Test
    void whatIsStrangeInAnAddressIsRefusedAtOnce() {
        for (String strange : new String[] {"", "nothing", address.substring(0, address.indexOf(':')) + "://"}) {
            assertThrows(RuntimeException.class, () -> rig.left.device.listen(strange, leftChannel), strange);
            End left = end(rig.left);
            assertThrows(RuntimeException.class, () -> rig.left.device.connect(
                    strange, left.qp, HELLO, leftChannel, TIMEOUT_NS), strange);
        }
    }
}
