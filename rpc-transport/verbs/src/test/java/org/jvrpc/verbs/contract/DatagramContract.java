package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/** QPs of the unreliable datagram service: what arrives, what is dropped, what is refused. */
public abstract class DatagramContract extends DeviceContract {

    private static final int HEADER = Datagrams.HEADER;

    private End left;
    private End right;
    private Destination there;

    DatagramContract(DeviceUnderTest dut) {
        super(dut);
    }

    @Override
    void assumeNeeds() {
        assumeTrue(dut.sendsDatagrams(), "the device has no datagrams");
    }

    @Override
    void prepare() {
        left = Datagrams.ready(rig.left);
        right = Datagrams.ready(rig.right);
        there = Datagrams.destination(left, right);
    }

    private void send(long wrId, Destination to, int length) {
        left.post(SendRequest.datagram(wrId, to, left.sge(0, length)).signalled());
        left.sentOk(wrId, WcOpcode.SEND);
    }

    /** Sends 8 bytes that arrive: whatever went wrong before, the two work. */
    private void works(long wrId) {
        right.receive(wrId, 128, HEADER + 8);
        left.putLong(0, wrId);
        send(wrId, there, 8);
        assertEquals(left.qp.number(), right.receivedOk(wrId, HEADER + 8).sourceQp());
        assertEquals(wrId, right.getLong(128 + HEADER));
    }

    @ParameterizedTest(name = "bytes={0}")
    @ValueSource(ints = {0, 1, 8, 31, 32, 33, 64, 96, 97, 255, 1000, 1024, 4096})
    void aDatagramArrivesBehindTheRoomForTheHeader(int length) {
        assumeTrue(length <= rig.left.device.maxDatagramBytes(), "the path carries fewer bytes");
        byte[] data = Pattern.bytes(length, length);
        left.put(0, data);
        right.receive(7, 1000, HEADER + length);
        right.put(1000 + HEADER + length, new byte[] {99});
        send(8, there, length);
        Wc wc = right.receivedOk(7, HEADER + length);
        assertEquals(left.qp.number(), wc.sourceQp(), wc::toString);
        assertFalse(wc.hasImmediate());
        right.assertBytes(data, 1000 + HEADER);
        right.assertBytes(new byte[] {99}, 1000 + HEADER + length);
    }

    @Test
    void theHeaderAndTheMessageAreScatteredOverTheSges() {
        byte[] data = Pattern.bytes(1, 100);
        left.put(0, Arrays.copyOf(data, 30));
        left.put(500, Arrays.copyOfRange(data, 30, 100));
        int[][] cuts = {{40, 100}, {8, 20, 112}, {39, 2, 99}, {41, 99}, {10, 10, 10, 200}, {0, 140}};
        for (int[] cut : cuts) {
            Sge[] sges = new Sge[cut.length];
            int at = 2000;
            for (int i = 0; i < cut.length; i++) {
                sges[i] = right.sge(at, cut[i]);
                at += cut[i];
            }
            right.put(2000, new byte[300]);
            right.receive(1, sges);
            left.post(SendRequest.datagram(2, there, left.sge(0, 30), left.sge(500, 70)).signalled());
            left.sentOk(2, WcOpcode.SEND);
            right.receivedOk(1, HEADER + 100);
            right.assertBytes(data, 2000 + HEADER);
        }
    }

    @Test
    void immediateDataArrives() {
        right.receive(1, 0, HEADER + 8);
        left.post(SendRequest.datagramWithImmediate(2, 0xcafebabe, there, left.sge(0, 8)).signalled());
        left.sentOk(2, WcOpcode.SEND);
        Wc wc = right.receivedOk(1, HEADER + 8);
        assertTrue(wc.hasImmediate() && wc.immediate() == 0xcafebabe, wc::toString);
        assertEquals(left.qp.number(), wc.sourceQp());
    }

    @Test
    void inlineDataIsCopiedWhenPosted() {
        right.receive(1, 0, HEADER + 100);
        byte[] data = Pattern.bytes(3, 100);
        left.put(0, data);
        left.post(SendRequest.datagram(2, there, left.sge(0, 100)).inline().signalled());
        left.put(0, new byte[100]);
        left.sentOk(2, WcOpcode.SEND);
        right.receivedOk(1, HEADER + 100);
        right.assertBytes(data, HEADER);
    }

    @Test
    void theMessageLiesInTheSgesAlsoWhereOthersLieInTheCqe() {
        End wide = Datagrams.ready(rig.right, Datagrams.setup().cq(64, 128, true));
        Destination to = new Destination(there.handle(), wide.qp.number(), Datagrams.QKEY);
        for (int length : new int[] {1, 20, 60, 200}) {
            byte[] data = Pattern.bytes(length, length);
            left.put(0, data);
            wide.receive(1, 64, HEADER + length);
            send(2, to, length);
            assertNull(wide.receivedOk(1, HEADER + length).inline());
            wide.assertBytes(data, 64 + HEADER);
        }
    }

    @Test
    void oneQpSendsToManyByChangingTheDestination() {
        End other = Datagrams.ready(rig.right);
        Destination[] to = {there, new Destination(there.handle(), other.qp.number(), Datagrams.QKEY),
            Datagrams.destination(left, left)};
        End[] ends = {right, other, left};
        PostSend call = left.qp.prepareSend(SendRequest.datagram(0, there, left.sge(0, 8)).signalled());
        for (int i = 0; i < 30; i++) {
            End end = ends[i % 3];
            end.receive(i, 64, HEADER + 8);
            left.putLong(0, i);
            assertEquals(1, call.wrId(0, i).destination(0, to[i % 3]).execute());
            left.sentOk(i, WcOpcode.SEND);
            assertEquals(left.qp.number(), end.receivedOk(i, HEADER + 8).sourceQp());
            assertEquals(i, end.getLong(64 + HEADER));
        }
        rig.assertQuiet();
    }

    @Test
    void anAnswerGoesToTheQpThatTheCompletionNames() {
        works(1);
        AddressHandle back = Datagrams.handle(right, left);
        left.receive(2, 512, HEADER + 8);
        right.receive(3, 0, HEADER + 8);
        left.putLong(0, 77);
        send(4, there, 8);
        int asker = right.receivedOk(3, HEADER + 8).sourceQp();
        right.post(SendRequest.datagram(5, new Destination(back, asker, Datagrams.QKEY), right.sge(HEADER, 8)));
        assertEquals(right.qp.number(), left.receivedOk(2, HEADER + 8).sourceQp());
        assertEquals(77, left.getLong(512 + HEADER));
    }

    @Test
    void aMessageWithoutAReceiveIsDropped() {
        for (int i = 0; i < 3; i++) {
            send(i, there, 8);
        }
        rig.assertQuiet();
        works(50);
        rig.assertQuiet();
        assertEquals(QueuePairState.RTS, left.qp.state());
    }

    @Test
    void aMessageWithAnotherQkeyIsDropped() {
        right.receive(1, 0, HEADER + 8);
        send(2, new Destination(there.handle(), there.qpNumber(), Datagrams.QKEY + 1), 8);
        rig.assertQuiet();
        send(3, there, 8);
        right.receivedOk(1, HEADER + 8);
        rig.assertQuiet();
    }

    @Test
    void aMessageToNobodyIsDropped() {
        right.receive(1, 0, HEADER + 8);
        End gone = Datagrams.ready(rig.right);
        Destination nobody = new Destination(there.handle(), gone.qp.number(), Datagrams.QKEY);
        send(2, nobody, 8);
        gone.qp.close();
        send(3, nobody, 8);
        send(4, new Destination(there.handle(), 0xfffff0, Datagrams.QKEY), 8);
        rig.assertQuiet();
        send(5, there, 8);
        right.receivedOk(1, HEADER + 8);
    }

    @Test
    void aQpTakesMessagesWhenItIsReadyAndUntilItIsInError() {
        End late = rig.right.end(Datagrams.setup());
        late.qp.init();
        late.receive(1, 0, HEADER + 8);
        late.receive(2, 0, HEADER + 8);
        Destination to = new Destination(there.handle(), late.qp.number(), Datagrams.QKEY);
        send(3, to, 8);
        rig.assertQuiet();
        late.qp.ready();
        assertEquals(QueuePairState.RTS, late.qp.state());
        send(4, to, 8);
        late.receivedOk(1, HEADER + 8);
        late.qp.error();
        send(5, to, 8);
        late.receivedFails(2, WcStatus.WR_FLUSH_ERR);
        rig.assertQuiet();
        works(60);
    }

    @Test
    void aMessageThatIsLongerThanTheReceiveIsDroppedOrFailsIt() {
        right.receive(1, 0, HEADER + 7);
        send(2, there, 8);
        if (dut.dropsLongDatagrams()) {
            rig.assertQuiet();
            send(3, there, 7);
            right.receivedOk(1, HEADER + 7);
            right.receive(4, 0, HEADER - 1);
            send(5, there, 0);
            rig.assertQuiet();
        } else {
            rig.pumpFor(50);
            Wc wc = right.receives.take();
            assertTrue(wc == null || wc.wrId() == 1 && wc.status() != WcStatus.SUCCESS, () -> "" + wc);
        }
        assertEquals(QueuePairState.RTS, left.qp.state(), "the sender hears nothing of it");
    }

    @Test
    void aMessageThatIsLongerThanThePathCarriesGoesNowhere() {
        int length = Math.max(rig.left.device.maxDatagramBytes(), rig.right.device.maxDatagramBytes()) + 1;
        right.receive(1, 0, HEADER + length);
        try {
            left.post(SendRequest.datagram(2, there, left.sge(0, length)).signalled());
            Wc wc = left.sent();
            assertTrue(wc.wrId() == 2 && (wc.status() == WcStatus.LOC_LEN_ERR || wc.status() == WcStatus.SUCCESS),
                    wc::toString);
        } catch (VerbsException e) {
            assertTrue(e.getMessage().contains(Integer.toString(length)), e.getMessage());
        }
        rig.assertQuiet();
        End fresh = Datagrams.ready(rig.left);
        fresh.post(SendRequest.datagram(3, there, fresh.sge(0, 8)));
        assertEquals(fresh.qp.number(), right.receivedOk(1, HEADER + 8).sourceQp());
    }

    @Test
    void aLocalErrorFailsTheSend() {
        left.post(SendRequest.datagram(1, there, new Sge(left.address(0), 8, left.mr.lkey() ^ 0x5500)));
        left.sentFails(1, WcStatus.LOC_PROT_ERR);
        rig.assertQuiet();
    }

    @Test
    void whatIsPostedToAQpInErrorIsFlushedInOrder() {
        for (int i = 0; i < 3; i++) {
            right.receive(i, 0, HEADER + 8);
        }
        right.qp.error();
        right.post(SendRequest.datagram(9, new Destination(Datagrams.handle(right, left), 1, 1)));
        for (int i = 0; i < 3; i++) {
            right.receivedFails(i, WcStatus.WR_FLUSH_ERR);
        }
        right.sentFails(9, WcStatus.WR_FLUSH_ERR);
        right.receive(10, 0, HEADER + 8);
        right.receivedFails(10, WcStatus.WR_FLUSH_ERR);
    }

    private static void refused(End end, Executable transition) {
        QueuePairState before = end.qp.state();
        assertThrows(VerbsException.class, transition);
        assertEquals(before, end.qp.state(), "a refused transition changes nothing");
    }

    @Test
    void statesAreLeftByTheRightWayOnly() {
        End fresh = rig.left.end(Datagrams.setup());
        refused(fresh, fresh.qp::ready);
        fresh.qp.init();
        refused(fresh, () -> fresh.qp.connect(right.qp.endpoint()));
        fresh.qp.ready();
        refused(fresh, fresh.qp::ready);
        End connected = rig.left.end(Setup.usual());
        connected.qp.init();
        refused(connected, connected.qp::ready);
        if (dut.knowsPeers()) {
            refused(connected, () -> connected.qp.connect(right.qp.endpoint()));
        }
        Pair.connect(connected, rig.right.end(Setup.usual())).exercise(1);
        fresh.qp.error();
        refused(fresh, fresh.qp::ready);
    }

    @Test
    void requestsOfTheOtherServiceAreRefused() {
        assertThrows(VerbsException.class, () -> left.qp.prepareSend(SendRequest.send(1, left.sge(0, 8))));
        assertThrows(VerbsException.class, () -> left.qp.prepareSend(
                SendRequest.write(1, right.address(0), right.mr.rkey(), left.sge(0, 8))));
        End connected = rig.left.end(Setup.usual());
        Pair.connect(connected, rig.right.end(Setup.usual()));
        assertThrows(VerbsException.class, () -> connected.qp.prepareSend(
                SendRequest.datagram(1, there, connected.sge(0, 8))));
        works(70);
    }

    @Test
    void handlesAreCheckedAndHoldTheirDomain() {
        for (byte[] garbage : new byte[][] {{}, new byte[3], Pattern.bytes(5, 24), Pattern.bytes(6, 200)}) {
            assertThrows(VerbsException.class, () -> rig.left.pd.createAh(garbage));
        }
        ProtectionDomain pd = rig.left.device.allocatePd();
        AddressHandle handle = pd.createAh(right.qp.endpoint());
        assertThrows(VerbsException.class, pd::close);
        handle.close();
        handle.close();
        pd.close();
        works(80);
    }

    @Test
    void aHandleReachesQpsThatAreMadeLater() {
        End later = Datagrams.ready(rig.right);
        later.receive(1, 0, HEADER + 8);
        send(2, new Destination(there.handle(), later.qp.number(), Datagrams.QKEY), 8);
        later.receivedOk(1, HEADER + 8);
    }

    @Test
    void closingADeviceEndsItsHandlesAndItsPeersGoOn() {
        Device device = dut.openDevice();
        Side side = new Side(rig, "closing", device);
        End end = Datagrams.ready(side);
        Destination to = Datagrams.destination(left, end);
        AddressHandle handle = side.pd.createAh(right.qp.endpoint());
        end.receive(1, 0, HEADER + 8);
        device.close();
        handle.close();
        send(2, to, 8);
        works(90);
    }

    @Test
    void aDatagramFillsTheSgesOfItsReceiveAndNoMore() {
        byte[] before = Pattern.bytes(9, 300);
        right.put(0, before);
        right.receive(1, 100, HEADER + 20);
        left.put(0, Pattern.bytes(10, 10));
        send(2, there, 10);
        right.receivedOk(1, HEADER + 10);
        assertArrayEquals(Arrays.copyOf(before, 100), right.bytes(0, 100));
        right.assertBytes(Pattern.bytes(10, 10), 100 + HEADER);
        assertArrayEquals(Arrays.copyOfRange(before, 100 + HEADER + 20, 300), right.bytes(100 + HEADER + 20, 140));
    }
}
