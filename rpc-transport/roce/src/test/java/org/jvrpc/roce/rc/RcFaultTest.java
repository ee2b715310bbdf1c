package org.jvrpc.roce.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.roce.rc.RcNode.Wr;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.roce.wire.Reth;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.WcStatus;

/** Requests that are refused or make no sense, one at a time. */
class RcFaultTest extends RcPair {

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

    @Test
    void aWriteLongerThanAMessageMayBeIsInvalid() {
        ByteBuffer packet = ByteBuffer.allocate(Bth.BYTES + 16 + MTU);
        Bth.write(packet, 0, Opcode.WRITE_FIRST, 0, false, true, RcNetwork.QPN_B, 100);
        Reth.write(packet, Bth.BYTES, 0, RcNode.RKEY, Integer.MIN_VALUE + 1);
        net.deliver(net.b, packet.array());
        assertTrue(net.b.failed);
    }
}
