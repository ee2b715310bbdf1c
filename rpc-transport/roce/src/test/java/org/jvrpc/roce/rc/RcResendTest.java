package org.jvrpc.roce.rc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.roce.rc.RcNode.Ended;
import org.jvrpc.roce.rc.RcNode.Wr;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Reth;
import org.jvrpc.verbs.WcStatus;

/** Packets and receives that are missing, one at a time: what is sent again, and what is not. */
class RcResendTest extends RcPair {

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
    void aSilentPeerIsAskedForAsLongAsPatienceWants() {
        long leastNs = 6 * TIMEOUT_NS;
        RcAttributes patient = attributes.withPatience(leastNs);
        assertEquals(7 * TIMEOUT_NS, patient.longestSilenceNs(), "one, two and four");
        assertEquals(3 * TIMEOUT_NS, attributes.longestSilenceNs());
        with(patient);
        net.loseToB(number -> true);
        net.a.post(Wr.send(0, 1));
        long beganNs = net.nowNs;
        run();
        assertEnded(WcStatus.RETRY_EXC_ERR);
        assertEquals(3, net.a.transport.counters().timeouts());
        assertTrue(net.nowNs - beganNs >= leastNs, "ns=" + (net.nowNs - beganNs));
    }

    @Test
    void patienceBeginsAnewWhenSomethingWasAcknowledged() {
        with(attributes.withWindow(1, 1).withPatience(6 * TIMEOUT_NS));
        int[] lost = {0, 1, 3}; // the first message twice, which takes one and two waits, the second once
        net.loseToB(number -> IntStream.of(lost).anyMatch(n -> n == number));
        net.b.receive(2, MTU);
        for (int i = 0; i < 2; i++) {
            net.a.post(Wr.send(0, 1));
        }
        long beganNs = net.nowNs;
        run();
        assertEnded(WcStatus.SUCCESS, WcStatus.SUCCESS);
        assertEquals(3, net.a.transport.counters().timeouts());
        assertTrue(net.nowNs - beganNs < 6 * TIMEOUT_NS, "ns=" + (net.nowNs - beganNs));
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
    void answersOfSeveralReadsThatAreLostTogetherAreAllSentAgainAfterOneTimeout() {
        net.loseToA(number -> number < 4);
        for (int i = 0; i < 3; i++) {
            net.a.post(Wr.of(Operation.READ, i * 8, 8, i * 8));
        }
        net.a.post(Wr.atomic(Operation.FETCH_ADD, 64, 64, 0, 1));
        run();
        assertEnded(WcStatus.SUCCESS, WcStatus.SUCCESS, WcStatus.SUCCESS, WcStatus.SUCCESS);
        assertEquals(1, net.a.transport.counters().timeouts());
        assertEquals(1, net.b.memory.getLong(64));
    }

    @Test
    void duplicatesThatComeTogetherAreAllAnsweredAgain() {
        for (int again = 1; again <= 2; again++) {
            for (int i = 0; i < 3; i++) {
                ByteBuffer packet = ByteBuffer.allocate(Bth.BYTES + Reth.BYTES);
                Bth.write(packet, 0, Opcode.READ_REQUEST, 0, false, true, RcNetwork.QPN_B, 100 + i);
                Reth.write(packet, Bth.BYTES, 8 * i, RcNode.RKEY, 8);
                net.deliver(net.b, packet.array());
            }
            net.b.transport.progress(net.nowNs);
            assertEquals(3 * again, net.b.transport.counters().sentPackets());
        }
    }

    @Test
    void aReadLongerThanTheWindowIsAskedForInPiecesOneAfterTheOther() {
        with(attributes.withWindow(8, 8).withReads(2, 1));
        new Random(4).nextBytes(net.b.memory.array());
        net.a.post(Wr.of(Operation.READ, 0, 20 * MTU + 1, 0));
        net.a.transport.progress(net.nowNs);
        assertEquals(1, net.a.transport.counters().sentPackets());
        run();
        assertEnded(WcStatus.SUCCESS);
        assertEquals(3, net.a.transport.counters().sentPackets(), "8, 8 and 5 packets");
        assertEquals(21, net.b.transport.counters().sentPackets());
        assertArrayEquals(Arrays.copyOf(net.b.memory.array(), 20 * MTU + 1),
                Arrays.copyOf(net.a.memory.array(), 20 * MTU + 1));
    }

    @Test
    void aMessageThatIsTakenWhileItsSenderWaitsForAReceiveEndsTheWait() {
        with(attributes.withMinRnrTimer(400_000_000));
        net.a.post(Wr.send(0, 1));
        net.a.post(Wr.send(0, 1));
        while (net.a.transport.counters().receivedRnrNaks() == 0) {
            net.run(1);
        }
        net.b.receive(2, MTU);
        request(100, Opcode.SEND_ONLY, 4); // late, from before
        net.b.transport.progress(net.nowNs);
        long beganNs = net.nowNs;
        run();
        assertEnded(WcStatus.SUCCESS, WcStatus.SUCCESS);
        assertTrue(net.nowNs - beganNs < 400_000_000, "ns=" + (net.nowNs - beganNs));
    }

    @ParameterizedTest
    @EnumSource(names = {"SEND", "WRITE", "READ"})
    void aMessageLongerThanTheWindowArrivesAlsoWhereAllOfItWouldBeSentAgain(Operation operation) {
        with(attributes.withWindow(8, 4).withGoBackZero(true));
        net.b.receive(1, 40 * MTU);
        net.a.post(Wr.of(operation, 0, 40 * MTU, 0));
        run();
        assertEnded(WcStatus.SUCCESS);
        assertEquals(0, net.a.transport.counters().resentPackets());
    }

    @ParameterizedTest
    @EnumSource(names = {"SEND", "WRITE"})
    void goingBackToZeroNeverEndsWhereOneOfTwentyPacketsIsLostAndGoingBackToNDoes(Operation operation) {
        RcAttributes livelock = attributes.withWindow(1024, 16).withRetries(7, 7, 10_000_000);
        for (boolean zero : new boolean[] {false, true}) {
            with(livelock.withGoBackZero(zero));
            net.loss = 0.05;
            net.b.receive(1, 240 * MTU);
            net.a.post(Wr.of(operation, 0, 240 * MTU, 0));
            boolean ends = net.run(20_000);
            assertEquals(!zero, ends, "go back to zero=" + zero);
            assertEquals(zero ? List.of() : List.of(new Ended(0, WcStatus.SUCCESS)), net.a.ended);
            long sent = net.packets;
            assertEquals(!zero, net.run(1000));
            assertEquals(zero, net.packets > sent + 100, "it goes on sending");
        }
    }
}
