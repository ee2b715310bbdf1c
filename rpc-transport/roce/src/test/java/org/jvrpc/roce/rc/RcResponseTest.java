package org.jvrpc.roce.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.roce.rc.RcNode.Wr;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Reth;
import org.jvrpc.verbs.WcStatus;

/** Requests that break the rules of a message, and responses that tell of lost ones or make no sense. */
class RcResponseTest extends RcPair {

    /** Hands B a WRITE's packet of zeros. */
    private void write(int psn, int opcode, int payload, int length) {
        ByteBuffer packet = ByteBuffer.allocate(Opcode.headerBytes(opcode) + payload);
        Bth.write(packet, 0, opcode, 0, false, true, RcNetwork.QPN_B, psn);
        if (Opcode.begins(opcode)) {
            Reth.write(packet, Bth.BYTES, 0, RcNode.RKEY, length);
        }
        net.deliver(net.b, packet.array());
    }

    private void response(int psn, int opcode, int bytes) {
        ByteBuffer packet = ByteBuffer.allocate(Bth.BYTES + Aeth.BYTES + bytes);
        Bth.write(packet, 0, opcode, 0, false, false, RcNetwork.QPN_A, psn);
        Aeth.write(packet, Bth.BYTES, Aeth.ACK, 1);
        net.deliver(net.a, packet.array());
    }

    /** What A posts is sent, and lost. */
    private void sendInVain(Wr... wrs) {
        net.loseToB(number -> true);
        for (Wr wr : wrs) {
            net.a.post(wr);
        }
        net.a.transport.progress(net.nowNs);
    }

    @Test
    void anUnknownKeyIsNotInvalidatedAndEndsBothSides() {
        net.b.receive(1, MTU);
        net.a.post(new Wr(Operation.SEND_INVALIDATE, 0, 4, 0, 0, RcNode.RKEY + 1, 0, 0, false));
        run();
        assertEnded(WcStatus.REM_ACCESS_ERR);
        assertEquals(List.of(WcStatus.LOC_ACCESS_ERR), net.b.failedReceives);
        assertTrue(net.b.failed && net.b.arrived.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 12, 0})
    void aWriteThatBringsAnotherLengthThanItSaidIsInvalid(int last) {
        write(100, Opcode.WRITE_FIRST, MTU, MTU + 8);
        assertFalse(net.b.failed);
        write(101, Opcode.WRITE_LAST, last, 0);
        assertTrue(net.b.failed);
    }

    @Test
    void aWriteThatIsWholeBeforeItsLastPacketIsInvalid() {
        write(100, Opcode.WRITE_FIRST, MTU, MTU);
        assertTrue(net.b.failed);
    }

    @Test
    void aKeyThatIsTakenBackInTheMiddleOfAWriteEndsIt() {
        net.b.memory.put(MTU, (byte) 5);
        write(100, Opcode.WRITE_FIRST, MTU, 2 * MTU);
        net.b.access = 0;
        write(101, Opcode.WRITE_LAST, MTU, 0);
        assertTrue(net.b.failed);
        assertEquals(5, net.b.memory.get(MTU));
    }

    @Test
    void aSendInTheMiddleOfAWriteIsInvalid() {
        net.b.receive(1, MTU);
        write(100, Opcode.WRITE_FIRST, MTU, 2 * MTU);
        request(101, Opcode.SEND_ONLY, 4);
        assertTrue(net.b.failed && net.b.arrived.isEmpty());
    }

    @Test
    void anEmptyLastPacketAndOneOverTheMtuAreInvalid() {
        net.b.receive(1, 4 * MTU);
        request(100, Opcode.SEND_FIRST, MTU);
        request(101, Opcode.SEND_LAST, 0);
        assertTrue(net.b.failed);
        with(attributes);
        net.b.receive(1, 4 * MTU);
        request(100, Opcode.SEND_ONLY, MTU + 4);
        assertTrue(net.b.failed);
        with(attributes);
        net.b.receive(1, 4 * MTU);
        request(100, Opcode.SEND_ONLY, MTU);
        assertFalse(net.b.failed);
    }

    @Test
    void aReadThatIsTooLongOrOneTooManyIsInvalid() {
        ByteBuffer packet = ByteBuffer.allocate(Bth.BYTES + Reth.BYTES);
        Bth.write(packet, 0, Opcode.READ_REQUEST, 0, false, true, RcNetwork.QPN_B, 100);
        Reth.write(packet, Bth.BYTES, 0, RcNode.RKEY, Integer.MIN_VALUE + 1);
        net.deliver(net.b, packet.array());
        assertTrue(net.b.failed);
        with(attributes.withReads(1, 1));
        for (int i = 0; i < 2; i++) {
            assertFalse(net.b.failed);
            Bth.write(packet, 0, Opcode.READ_REQUEST, 0, false, true, RcNetwork.QPN_B, 100 + i);
            Reth.write(packet, Bth.BYTES, 0, RcNode.RKEY, 8);
            net.deliver(net.b, packet.array());
        }
        assertTrue(net.b.failed);
    }

    @Test
    void aQpInErrTakesNoRequests() {
        net.b.receive(1, MTU);
        net.b.transport.fail();
        request(100, Opcode.SEND_ONLY, 4);
        assertTrue(net.b.arrived.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {Aeth.ACK, Aeth.NAK_SEQUENCE, Aeth.RNR_NAK | 1})
    void whateverSpeaksOfAPacketBehindALostAnswerHasItAskedForAgainAtOnce(int syndrome) {
        sendInVain(Wr.of(Operation.READ, 0, 8, 0), Wr.send(0, 1), Wr.send(0, 1));
        assertEquals(3, net.a.transport.counters().sentPackets());
        acknowledge(102, syndrome);
        net.a.transport.progress(net.nowNs);
        assertEquals(1, net.a.transport.counters().impliedNaks());
        assertEquals(6, net.a.transport.counters().sentPackets());
        assertTrue(net.a.ended.isEmpty());
    }

    @Test
    void anAcknowledgementOfAReadWithoutItsAnswerHasItAskedForAgain() {
        sendInVain(Wr.of(Operation.READ, 0, 8, 0));
        acknowledge(100, Aeth.ACK);
        net.a.transport.progress(net.nowNs);
        assertEquals(1, net.a.transport.counters().impliedNaks());
        assertTrue(net.a.ended.isEmpty());
    }

    @Test
    void anAnswerOfAnotherKindIsABadResponse() {
        sendInVain(Wr.of(Operation.READ, 0, 8, 0));
        response(100, Opcode.ATOMIC_ACKNOWLEDGE, 8);
        assertEnded(WcStatus.BAD_RESP_ERR);
        with(attributes);
        sendInVain(Wr.send(0, 1));
        response(100, Opcode.READ_RESPONSE_ONLY, 8);
        assertEnded(WcStatus.BAD_RESP_ERR);
    }

    @Test
    void aReadsResponseThatEndsTooEarlyOrTooLateIsABadResponse() {
        sendInVain(Wr.of(Operation.READ, 0, 2 * MTU, 0));
        response(100, Opcode.READ_RESPONSE_ONLY, MTU);
        assertEnded(WcStatus.BAD_RESP_ERR);
        with(attributes);
        sendInVain(Wr.of(Operation.READ, 0, MTU, 0));
        response(100, Opcode.READ_RESPONSE_FIRST, MTU);
        assertEnded(WcStatus.BAD_RESP_ERR);
    }

    @Test
    void anAnswerThatCannotBeStoredEndsItsWr() {
        net.a.scatters = WcStatus.LOC_PROT_ERR;
        net.a.post(Wr.of(Operation.READ, 0, 8, 0));
        net.a.post(Wr.of(Operation.READ, 0, 8, 0));
        run();
        assertEnded(WcStatus.LOC_PROT_ERR, WcStatus.WR_FLUSH_ERR);
        assertTrue(net.a.failed);
    }

    @Test
    void anAnswerThatCameBeforeIsStray() {
        sendInVain(Wr.of(Operation.READ, 0, 2 * MTU, 0), Wr.send(0, 1));
        response(100, Opcode.READ_RESPONSE_FIRST, MTU);
        assertEquals(0, net.a.transport.counters().strayResponses());
        response(100, Opcode.READ_RESPONSE_FIRST, MTU);
        assertEquals(1, net.a.transport.counters().strayResponses());
        net.a.transport.fail();
        assertEnded(WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR);
    }
}
