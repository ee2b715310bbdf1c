package org.jvrpc.roce.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.jvrpc.roce.rc.RcNode.Wr;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Reth;
import org.jvrpc.verbs.WcStatus;

/** What packets say, and which are sent when. */
class RcPacketTest extends RcPair {

    private static List<Integer> each(List<byte[]> packets, ToIntFunction<ByteBuffer> what) {
        List<Integer> all = new ArrayList<>();
        packets.forEach(packet -> all.add(what.applyAsInt(ByteBuffer.wrap(packet))));
        return all;
    }

    private static List<Integer> opcodes(List<byte[]> packets) {
        return each(packets, packet -> Bth.opcode(packet, 0));
    }

    private void readRequest(int psn, long address, int length) {
        ByteBuffer packet = ByteBuffer.allocate(Bth.BYTES + Reth.BYTES);
        Bth.write(packet, 0, Opcode.READ_REQUEST, 0, false, true, RcNetwork.QPN_B, psn);
        Reth.write(packet, Bth.BYTES, address, RcNode.RKEY, length);
        net.deliver(net.b, packet.array());
    }

    @Test
    void responsesCountTheMessagesThatCompleted() {
        with(attributes.withWindow(1, 1));
        List<byte[]> responses = net.tapToA();
        net.b.receive(3, MTU);
        net.a.post(Wr.send(0, 1));
        net.a.post(Wr.of(Operation.WRITE, 0, 3 * MTU, 0));
        net.a.post(Wr.of(Operation.WRITE_IMM, 0, 1, 0));
        net.a.post(Wr.of(Operation.READ, 0, 1, 0));
        net.a.post(Wr.atomic(Operation.FETCH_ADD, 0, 0, 0, 1));
        net.a.post(Wr.send(0, 1));
        run();
        assertEquals(List.of(1, 1, 1, 2, 3, 4, 5, 6), each(responses, packet -> Aeth.msn(packet, Bth.BYTES)));
        assertEquals(8, net.b.transport.counters().sentPackets());
        assertEquals(8, net.a.transport.counters().receivedPackets());
    }

    @Test
    void aReadIsAnsweredByItsFirstAndLastPacketWithAnAcknowledgement() {
        List<byte[]> responses = net.tapToA();
        net.a.post(Wr.of(Operation.READ, 0, 4 * MTU, 0));
        net.a.post(Wr.of(Operation.READ, 0, 2 * MTU, 0));
        net.a.post(Wr.of(Operation.READ, 0, MTU, 0));
        run();
        assertEquals(List.of(Opcode.READ_RESPONSE_FIRST, Opcode.READ_RESPONSE_MIDDLE, Opcode.READ_RESPONSE_MIDDLE,
                Opcode.READ_RESPONSE_LAST, Opcode.READ_RESPONSE_FIRST, Opcode.READ_RESPONSE_LAST,
                Opcode.READ_RESPONSE_ONLY), opcodes(responses));
        assertEquals(Aeth.ACK, Aeth.syndrome(ByteBuffer.wrap(responses.get(0)), Bth.BYTES));
        assertEquals(1, Aeth.msn(ByteBuffer.wrap(responses.get(3)), Bth.BYTES));
    }

    @Test
    void theLastPacketOfASolicitedMessageSaysSo() {
        for (boolean solicited : new boolean[] {true, false}) {
            with(attributes);
            List<byte[]> requests = net.tapToB();
            net.b.receive(1, 3 * MTU);
            net.a.solicits = solicited;
            net.a.post(Wr.send(0, 3 * MTU));
            run();
            assertEquals(List.of(0, 0, solicited ? 1 : 0),
                    each(requests, packet -> Bth.isSolicited(packet, 0) ? 1 : 0));
        }
    }

    @Test
    void anAcknowledgementIsAskedForAfterSoManyPacketsAndAtTheEnd() {
        with(attributes.withWindow(64, 4));
        List<byte[]> requests = net.tapToB();
        net.b.receive(2, 10 * MTU);
        net.a.post(Wr.send(0, 10 * MTU));
        net.a.post(Wr.send(0, 6 * MTU));
        run();
        assertEquals(List.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1),
                each(requests, packet -> Bth.isAckRequested(packet, 0) ? 1 : 0));
    }

    @Test
    void anAcknowledgementIsAskedForWhereNothingCanFollow() {
        with(attributes.withWindow(3, 64));
        List<byte[]> requests = net.tapToB();
        net.loseToB(number -> true);
        net.a.post(Wr.send(0, 10 * MTU));
        net.a.transport.progress(net.nowNs);
        assertEquals(List.of(0, 0, 1), each(requests, packet -> Bth.isAckRequested(packet, 0) ? 1 : 0));
    }

    @Test
    void anAcknowledgementOfAMessageMayWaitForTheEighth() {
        net.b.receive(20, MTU);
        for (int i = 0; i < 7; i++) {
            request(100 + i, Opcode.SEND_ONLY, 4);
            net.b.transport.progressFirst(net.nowNs);
            assertEquals(0, net.b.transport.counters().sentPackets(), "message " + i);
            assertTrue(net.b.transport.isAcknowledgementHeld());
        }
        request(107, Opcode.SEND_ONLY, 4);
        assertFalse(net.b.transport.isAcknowledgementHeld());
        net.b.transport.progressFirst(net.nowNs);
        assertEquals(1, net.b.transport.counters().sentPackets());
        request(108, Opcode.SEND_ONLY, 4); // counted anew
        net.b.transport.progressFirst(net.nowNs);
        assertEquals(1, net.b.transport.counters().sentPackets());
        net.b.transport.progress(net.nowNs);
        assertEquals(2, net.b.transport.counters().sentPackets());
        assertFalse(net.b.transport.isAcknowledgementHeld());
    }

    @Test
    void anAcknowledgementOfAWriteAndANakWaitForNothing() {
        request(100, Opcode.WRITE_ONLY, 16);
        assertFalse(net.b.transport.isAcknowledgementHeld());
        net.b.transport.progressFirst(net.nowNs);
        assertEquals(1, net.b.transport.counters().sentPackets());
        request(105, Opcode.WRITE_ONLY, 16);
        assertTrue(net.b.transport.isAnswerDue());
        net.b.transport.progressFirst(net.nowNs);
        assertEquals(2, net.b.transport.counters().sentPackets());
    }

    @Test
    void anAnswerIsDueUntilItHasLeft() {
        assertFalse(net.b.transport.isAnswerDue());
        net.closeToA(true);
        readRequest(100, 0, 8);
        net.b.transport.progress(net.nowNs);
        assertTrue(net.b.transport.isAnswerDue());
        net.closeToA(false);
        net.b.transport.progress(net.nowNs);
        assertFalse(net.b.transport.isAnswerDue());
    }

    @Test
    void aNakWhosePacketComesBeforeItLeavesIsTakenBack() {
        List<byte[]> responses = net.tapToA();
        net.b.receive(2, MTU);
        request(101, Opcode.SEND_ONLY, 4);
        request(100, Opcode.SEND_ONLY, 4);
        request(101, Opcode.SEND_ONLY, 4);
        net.b.transport.progress(net.nowNs);
        assertEquals(List.of(Aeth.ACK), each(responses, packet -> Aeth.syndrome(packet, Bth.BYTES)));
        assertEquals(2, net.b.arrived.size());
    }

    @Test
    void anRnrNakIsTakenBackWhenThereIsAReceiveInTime() {
        List<byte[]> responses = net.tapToA();
        request(100, Opcode.SEND_ONLY, 4);
        net.b.receive(1, MTU);
        request(100, Opcode.SEND_ONLY, 4);
        net.b.transport.progress(net.nowNs);
        assertEquals(List.of(Aeth.ACK), each(responses, packet -> Aeth.syndrome(packet, Bth.BYTES)));
        assertEquals(0, net.b.transport.counters().sentRnrNaks());
    }

    @Test
    void anRnrNakIsCountedWhenItIsSent() {
        request(100, Opcode.SEND_ONLY, 4);
        net.b.transport.progress(net.nowNs);
        assertEquals(1, net.b.transport.counters().sentRnrNaks());
        request(100, Opcode.WRITE_ONLY, 16);
        net.b.transport.progress(net.nowNs);
        assertEquals(1, net.b.transport.counters().sentRnrNaks());
    }

    @Test
    void aNakGoesBeforeAnAcknowledgementThatIsAskedForMeanwhile() {
        List<byte[]> responses = net.tapToA();
        request(100, Opcode.WRITE_ONLY, 16);
        request(102, Opcode.WRITE_ONLY, 16);
        request(100, Opcode.WRITE_ONLY, 16); // once more
        net.b.transport.progress(net.nowNs);
        assertEquals(List.of(Aeth.NAK_SEQUENCE), each(responses, packet -> Aeth.syndrome(packet, Bth.BYTES)));
        assertEquals(List.of(101), each(responses, packet -> Bth.psn(packet, 0)));
    }

    @Test
    void aReadThatIsNotKeptAnyMoreIsNotAnsweredAgain() {
        with(attributes.withReads(1, 1));
        readRequest(100, 0, 8);
        net.b.transport.progress(net.nowNs);
        readRequest(101, 0, 8);
        net.b.transport.progress(net.nowNs);
        assertEquals(2, net.b.transport.counters().sentPackets());
        readRequest(100, 0, 8);
        net.b.transport.progress(net.nowNs);
        assertEquals(2, net.b.transport.counters().sentPackets());
        readRequest(101, 0, 8);
        net.b.transport.progress(net.nowNs);
        assertEquals(3, net.b.transport.counters().sentPackets());
    }

    @Test
    void aNewReadTakesThePlaceOfOneThatWasToBeAnsweredAgain() {
        with(attributes.withReads(1, 1));
        List<byte[]> responses = net.tapToA();
        readRequest(100, 0, 8);
        net.b.transport.progress(net.nowNs);
        net.closeToA(true);
        readRequest(100, 0, 8);
        readRequest(101, 0, 8);
        net.closeToA(false);
        net.b.transport.progress(net.nowNs);
        assertEquals(List.of(100, 101), each(responses, packet -> Bth.psn(packet, 0)));
        assertFalse(net.b.failed);
    }

    @Test
    void noMoreWrsAreUnderWayThanTheQpHas() {
        net.loseToB(number -> true);
        for (int i = 0; i < 100; i++) {
            net.a.post(Wr.of(Operation.WRITE, 0, 0, 0));
        }
        for (int i = 0; i < 200; i++) {
            net.nowNs += 100;
            net.a.transport.progress(net.nowNs);
        }
        assertEquals(64, net.a.transport.counters().sentPackets());
    }

    @Test
    void aMessageHasAsManyPacketsAsPsnsAllow() {
        net.loseToB(number -> true);
        net.a.post(Wr.of(Operation.READ, 0, RcAttributes.MOST_PACKETS * MTU, 0));
        net.a.transport.progress(net.nowNs);
        assertEquals(1, net.a.transport.counters().sentPackets());
        with(attributes);
        net.a.post(Wr.of(Operation.READ, 0, RcAttributes.MOST_PACKETS * MTU + 1, 0));
        run();
        assertEnded(WcStatus.LOC_LEN_ERR);
        with(attributes);
        net.a.post(Wr.send(0, -1));
        run();
        assertEnded(WcStatus.LOC_LEN_ERR);
    }

    @Test
    void withoutATimeoutNothingIsWaitedFor() {
        with(attributes.withRetries(2, 2, 0));
        net.loseToB(number -> true);
        net.a.post(Wr.send(0, 1));
        net.a.transport.progress(net.nowNs);
        assertEquals(RcTransport.NEVER, net.a.transport.deadlineNs());
    }

    @Test
    void whatIsSentAgainIsCounted() {
        net.loseToB(number -> number == 0);
        net.b.receive(1, MTU);
        net.a.post(Wr.send(0, 1));
        run();
        assertEquals(1, net.a.transport.counters().resentPackets());
        assertEquals(2, net.a.transport.counters().sentPackets());
        assertEquals(0, net.b.transport.counters().resentPackets());
    }
}
