package org.jvrpc.roce.rc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.roce.rc.RcNode.Ended;
import org.jvrpc.roce.rc.RcNode.Wr;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.WcStatus;

/** What goes wrong between two QPs, one thing at a time. */
class RcFaultTest {

    private static final int MTU = 256;
    private static final int BYTES = 1 << 16;
    private static final long TIMEOUT_NS = 50_000;
    private static final int STEPS = 10_000;

    private final RcAttributes attributes =
            RcAttributes.defaults().withMtu(MTU).withRetries(2, 2, TIMEOUT_NS).withMinRnrTimer(20_000);
    private RcNetwork net = new RcNetwork(1, attributes, BYTES, 100);

    private void with(RcAttributes other) {
        net = new RcNetwork(1, other, BYTES, 100);
    }

    private void run() {
        assertTrue(net.run(STEPS), "it never ends");
    }

    private void assertEnded(WcStatus... statuses) {
        List<Ended> ended = new ArrayList<>();
        for (WcStatus status : statuses) {
            ended.add(new Ended(ended.size(), status));
        }
        assertEquals(ended, net.a.ended);
    }

    @Test
    void aGapDrawsOneNakAndIsFilledWithoutATimeout() {
        net.loseToB(number -> number == 3);
        net.b.receive(1, 20 * MTU);
        net.a.post(Wr.send(0, 20 * MTU));
        run();
        assertEnded(WcStatus.SUCCESS);
        assertEquals(1, net.a.transport.counters().receivedSequenceNaks());
        assertEquals(0, net.a.transport.counters().timeouts());
        assertTrue(net.b.transport.counters().outOfSequence() > 1, "packets behind the gap");
    }

    @Test
    void aLostAcknowledgementHasTheMessageSentAgainAndDeliveredOnce() {
        net.loseToA(number -> number == 0);
        net.b.receive(2, MTU);
        net.a.post(Wr.send(0, 10));
        run();
        assertEnded(WcStatus.SUCCESS);
        assertEquals(1, net.b.arrived.size());
        assertEquals(1, net.a.transport.counters().timeouts());
        assertEquals(1, net.b.transport.counters().duplicateRequests());
    }

    @Test
    void aLostPacketOfAReadIsAskedForWhenALaterOneComesAndOnlyTheRestIsSentAgain() {
        net.loseToA(number -> number == 5);
        net.a.post(Wr.of(Operation.READ, 0, 16 * MTU, 0));
        new Random(3).nextBytes(net.b.memory.array());
        run();
        assertEnded(WcStatus.SUCCESS);
        assertArrayEquals(Arrays.copyOf(net.b.memory.array(), 16 * MTU), Arrays.copyOf(net.a.memory.array(), 16 * MTU));
        assertEquals(0, net.a.transport.counters().timeouts());
        assertEquals(1, net.a.transport.counters().impliedNaks() > 0 ? 1 : 0);
        assertEquals(16 + 11, net.b.transport.counters().sentPackets());
    }

    @Test
    void anAtomicWhoseAnswerIsLostIsExecutedOnce() {
        net.loseToA(number -> number < 2);
        net.a.post(Wr.atomic(Operation.FETCH_ADD, 8, 16, 0, 5));
        net.b.memory.putLong(16, 37);
        run();
        assertEnded(WcStatus.SUCCESS);
        assertEquals(42, net.b.memory.getLong(16));
        assertEquals(37, net.a.memory.getLong(8));
    }

    @Test
    void anAcknowledgementBehindALostAnswerHasItSentAgain() {
        net.loseToA(number -> number == 0);
        net.b.receive(1, MTU);
        net.a.post(Wr.atomic(Operation.COMPARE_SWAP, 8, 16, 0, 9));
        net.a.post(Wr.send(0, 1));
        net.a.transport.progress(net.nowNs);
        run();
        assertEnded(WcStatus.SUCCESS, WcStatus.SUCCESS);
        assertEquals(9, net.b.memory.getLong(16));
        assertEquals(1, net.b.arrived.size());
    }

    @Test
    void aSilentPeerEndsTheOldestWrAndFlushesTheOthersInOrder() {
        net.loseToB(number -> true);
        for (int i = 0; i < 3; i++) {
            net.a.post(Wr.send(0, 1));
        }
        run();
        assertEnded(WcStatus.RETRY_EXC_ERR, WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR);
        assertEquals(3, net.a.transport.counters().timeouts(), "the first and two retries");
        assertTrue(net.a.failed);
    }

    @Test
    void retriesAreCountedAnewWhenSomethingWasAcknowledged() {
        int[] lost = {0, 1, 3, 4, 6, 7}; // two in a row of each of three messages, one after the other
        with(attributes.withWindow(1, 1));
        net.loseToB(number -> IntStream.of(lost).anyMatch(n -> n == number));
        net.b.receive(3, MTU);
        for (int i = 0; i < 3; i++) {
            net.a.post(Wr.send(0, 1));
        }
        run();
        assertEnded(WcStatus.SUCCESS, WcStatus.SUCCESS, WcStatus.SUCCESS);
        assertEquals(6, net.a.transport.counters().timeouts());
    }

    @Test
    void aPeerWithoutAReceiveIsAskedAgainAndThenGivenUp() {
        net.a.post(Wr.send(0, 1));
        net.a.post(Wr.send(0, 1));
        long beganNs = net.nowNs;
        run();
        assertEnded(WcStatus.RNR_RETRY_EXC_ERR, WcStatus.WR_FLUSH_ERR);
        assertEquals(3, net.a.transport.counters().receivedRnrNaks(), "the first and two retries");
        assertTrue(net.nowNs - beganNs >= 2 * 20_000, "waits as long as the peer says");
    }

    @Test
    void aReceiveThatIsPostedInTimeTakesTheMessage() {
        with(attributes.withRetries(0, 7, TIMEOUT_NS));
        net.a.post(Wr.send(0, 3 * MTU));
        net.a.post(Wr.of(Operation.WRITE_IMM, 0, 10, 0));
        for (int i = 0; i < 40; i++) {
            net.run(1);
        }
        assertTrue(net.a.ended.isEmpty());
        net.b.receive(2, 4 * MTU);
        run();
        assertEnded(WcStatus.SUCCESS, WcStatus.SUCCESS);
        assertEquals(2, net.b.arrived.size());
        assertEquals(0, net.a.transport.counters().timeouts(), "a wait for a receive is no lost packet");
    }

    @Test
    void aMessageLongerThanItsReceiveEndsBothSides() {
        net.b.receive(1, 2 * MTU);
        net.a.post(Wr.send(0, 2 * MTU + 1));
        run();
        assertEnded(WcStatus.REM_INV_REQ_ERR);
        assertEquals(List.of(WcStatus.LOC_LEN_ERR), net.b.failedReceives);
        assertTrue(net.a.failed && net.b.failed);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE", "WRITE_IMM", "READ", "FETCH_ADD", "COMPARE_SWAP"})
    void aKeyThatRefusesEndsBothSidesAndChangesNothing(Operation operation) {
        net.b.receive(2, MTU);
        net.b.access = Access.LOCAL_WRITE;
        net.a.memory.putLong(0, 5);
        net.a.post(Wr.send(0, 1));
        net.a.post(Wr.of(operation, 0, 8, 64));
        net.a.post(Wr.send(0, 1));
        run();
        assertEnded(WcStatus.SUCCESS, WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR);
        assertEquals(0, net.b.memory.getLong(64));
        assertTrue(net.b.failed);
    }

    @Test
    void aWriteBeyondTheMemoryIsRefusedByItsFirstPacket() {
        net.a.memory.put(0, (byte) 1);
        net.a.post(Wr.of(Operation.WRITE, 0, 3 * MTU, BYTES - 2 * MTU));
        run();
        assertEnded(WcStatus.REM_ACCESS_ERR);
        assertEquals(0, net.b.memory.get(BYTES - 2 * MTU));
    }

    @Test
    void nothingOfAnEmptyWriteOrReadIsLookedUp() {
        net.b.access = 0;
        net.a.post(Wr.of(Operation.WRITE, 0, 0, -1));
        net.a.post(Wr.of(Operation.READ, 0, 0, -1));
        run();
        assertEnded(WcStatus.SUCCESS, WcStatus.SUCCESS);
    }

    @Test
    void aMisalignedAtomicIsInvalid() {
        net.a.post(Wr.atomic(Operation.FETCH_ADD, 0, 12, 0, 1));
        run();
        assertEnded(WcStatus.REM_INV_REQ_ERR);
    }

    @Test
    void anRkeyIsInvalidatedBeforeTheMessageArrives() {
        net.b.receive(1, MTU);
        net.a.post(new Wr(Operation.SEND_INVALIDATE, 0, 4, 0, 0, RcNode.RKEY, 0, 0, false));
        net.a.post(Wr.of(Operation.WRITE, 0, 4, 0));
        run();
        assertEnded(WcStatus.SUCCESS, WcStatus.REM_ACCESS_ERR);
        assertEquals(ReceiveQueue.Arrival.SEND_INVALIDATE, net.b.arrived.get(0).kind());
        assertEquals(RcNode.RKEY, net.b.arrived.get(0).word());
    }

    @Test
    void aKeyThatIsTakenBackInTheMiddleOfAReadEndsIt() {
        net.a.post(Wr.of(Operation.READ, 0, 64 * MTU, 0));
        while (net.b.transport.counters().sentPackets() < 20) {
            net.run(1);
        }
        net.b.access = 0;
        run();
        assertEnded(WcStatus.REM_ACCESS_ERR);
        assertTrue(net.b.failed);
    }

    @Test
    void aCompletionWithoutRoomEndsBothSides() {
        net.b.receive(1, MTU);
        net.b.hasCompletions = false;
        net.a.post(Wr.send(0, 1));
        run();
        assertEnded(WcStatus.REM_OP_ERR);
        assertTrue(net.b.failed);
    }

    @Test
    void aWrThatCannotBeGatheredEndsBehindThoseBeforeIt() {
        net.b.receive(2, MTU);
        net.a.post(Wr.of(Operation.READ, 0, 4 * MTU, 0));
        net.a.post(Wr.send(0, 1));
        net.a.gathers = WcStatus.LOC_PROT_ERR;
        run();
        assertEnded(WcStatus.SUCCESS, WcStatus.LOC_PROT_ERR);
        assertEquals(0, net.b.arrived.size());
    }

    @Test
    void aFencedWrWaitsForTheReadBeforeIt() {
        net.b.receive(1, MTU);
        net.a.post(Wr.of(Operation.READ, 0, 4, 8));
        net.a.post(new Wr(Operation.SEND, 0, 4, 0, 0, 0, 0, 0, true));
        net.b.memory.putInt(8, 0x1234);
        run();
        assertEnded(WcStatus.SUCCESS, WcStatus.SUCCESS);
        assertEquals(0x1234, ByteBuffer.wrap(net.b.arrived.get(0).bytes()).getInt(), "sends what was read");
    }

    @Test
    void noMoreReadsAreUnderWayThanWereAgreed() {
        with(attributes.withReads(2, 2));
        for (int i = 0; i < 6; i++) {
            net.a.post(Wr.of(Operation.READ, i * 8, 8, i * 8));
        }
        net.a.transport.progress(net.nowNs);
        assertEquals(2, net.a.transport.counters().sentPackets());
        run();
        assertEquals(6, net.a.ended.size());
        assertFalse(net.b.failed);
    }

    @Test
    void aPeerThatHasMoreReadsUnderWayThanAgreedIsRefused() {
        with(attributes.withReads(1, 1));
        for (int i = 0; i < 2; i++) { // the second before the first is answered: nothing was sent between
            request(100 + i, Opcode.COMPARE_SWAP, 28);
        }
        assertTrue(net.b.failed);
    }

    /** Hands a request to B that nobody sent, of zeros behind its BTH but for the key. */
    private void request(int psn, int opcode, int bytes) {
        ByteBuffer packet = ByteBuffer.allocate(Bth.BYTES + bytes);
        Bth.write(packet, 0, opcode, 0, false, true, RcNetwork.QPN_B, psn);
        if (bytes >= 16) {
            packet.putInt(Bth.BYTES + 8, RcNode.RKEY);
        }
        net.deliver(net.b, packet.array());
    }

    @ParameterizedTest
    @ValueSource(ints = {Opcode.SEND_MIDDLE, Opcode.SEND_LAST, Opcode.WRITE_MIDDLE, Opcode.WRITE_LAST})
    void aMessageWithoutABeginningIsInvalid(int opcode) {
        net.b.receive(1, MTU);
        request(100, opcode, MTU);
        assertTrue(net.b.failed);
        assertEquals(0, net.b.arrived.size());
    }

    @Test
    void anotherMessageInTheMiddleOfOneIsInvalid() {
        net.b.receive(2, 4 * MTU);
        request(100, Opcode.SEND_FIRST, MTU);
        request(101, Opcode.WRITE_ONLY, 16);
        assertTrue(net.b.failed);
    }

    @Test
    void aPacketInTheMiddleThatIsNotFullIsInvalid() {
        net.b.receive(1, 4 * MTU);
        request(100, Opcode.SEND_FIRST, MTU - 4);
        assertTrue(net.b.failed);
    }

    @Test
    void anAcknowledgementOfWhatWasNeverSentCompletesNothing() {
        net.loseToB(number -> true);
        net.a.post(Wr.send(0, 1));
        net.a.transport.progress(net.nowNs);
        for (int psn : new int[] {99, 101, 100 + Psn.HALF, 5}) {
            acknowledge(psn, Aeth.ACK);
        }
        assertTrue(net.a.ended.isEmpty());
        assertEquals(4, net.a.transport.counters().strayResponses());
        acknowledge(100, Aeth.ACK);
        assertEnded(WcStatus.SUCCESS);
    }

    private void acknowledge(int psn, int syndrome) {
        ByteBuffer packet = ByteBuffer.allocate(Bth.BYTES + Aeth.BYTES);
        Bth.write(packet, 0, Opcode.ACKNOWLEDGE, 0, false, false, RcNetwork.QPN_A, psn);
        Aeth.write(packet, Bth.BYTES, syndrome, 1);
        net.deliver(net.a, packet.array());
    }

    @Test
    void aNakOfAnUnknownCodeIsABadResponse() {
        net.loseToB(number -> true);
        net.a.post(Wr.send(0, 1));
        net.a.transport.progress(net.nowNs);
        acknowledge(100, 0x6a);
        assertEnded(WcStatus.BAD_RESP_ERR);
    }

    @Test
    void aReadResponseOfAnotherLengthIsABadResponse() {
        net.loseToB(number -> true);
        net.a.post(Wr.of(Operation.READ, 0, 8, 0));
        net.a.transport.progress(net.nowNs);
        ByteBuffer packet = ByteBuffer.allocate(Bth.BYTES + Aeth.BYTES + 12);
        Bth.write(packet, 0, Opcode.READ_RESPONSE_ONLY, 0, false, false, RcNetwork.QPN_A, 100);
        Aeth.write(packet, Bth.BYTES, Aeth.ACK, 1);
        net.deliver(net.a, packet.array());
        assertEnded(WcStatus.BAD_RESP_ERR);
    }

    @Test
    void oneAcknowledgementServesAllThatCameTogether() {
        net.b.receive(8, MTU);
        for (int i = 0; i < 8; i++) {
            net.a.post(Wr.send(0, 1));
        }
        RcNode b = net.b;
        net.a.transport.progress(net.nowNs);
        for (int i = 0; i < 8; i++) {
            request(100 + i, Opcode.SEND_ONLY, 4);
        }
        b.transport.progress(net.nowNs);
        assertEquals(1, b.transport.counters().sentPackets());
    }

    @Test
    void whatWasPostedIsFlushedInOrderWhenTheQpGoesToErr() {
        net.loseToB(number -> true);
        net.a.post(Wr.send(0, 1));
        net.a.post(Wr.of(Operation.READ, 0, 8, 0));
        net.a.transport.progress(net.nowNs);
        net.a.transport.fail();
        assertEnded(WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR);
        assertEquals(RcTransport.NEVER, net.a.transport.deadlineNs());
        net.a.transport.fail();
        assertEquals(2, net.a.ended.size());
    }

    @ParameterizedTest
    @EnumSource(names = {"SEND", "WRITE"})
    void goingBackToZeroNeverEndsWhereOneOfTwentyPacketsIsLostAndGoingBackToNDoes(Operation operation) {
        RcAttributes livelock = attributes.withWindow(1024, 1024).withRetries(7, 7, 10_000_000);
        for (boolean zero : new boolean[] {false, true}) {
            with(livelock.withGoBackZero(zero));
            net.loss = 0.05;
            net.b.receive(1, 240 * MTU);
            net.a.post(Wr.of(operation, 0, 240 * MTU, 0));
            boolean ends = net.run(20_000) && net.a.ended.equals(List.of(new Ended(0, WcStatus.SUCCESS)));
            assertEquals(!zero, ends, "go back to zero=" + zero + " ended=" + net.a.ended);
        }
    }
}
