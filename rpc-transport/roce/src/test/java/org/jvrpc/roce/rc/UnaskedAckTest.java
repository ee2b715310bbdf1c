package org.jvrpc.roce.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.roce.rc.RcNode.Wr;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.verbs.WcStatus;

/** Peers that acknowledge what nobody asks for. */
class UnaskedAckTest extends RcPair {

    private static final int MESSAGES = 60;

    private final RcAttributes unasked = attributes.withUnaskedAcks(true).withWindow(64, 16);

    private static List<Boolean> asked(List<byte[]> packets) {
        return packets.stream().map(packet -> Bth.isAckRequested(ByteBuffer.wrap(packet), 0)).toList();
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            net.a.post(Wr.send(0, 4));
        }
    }

    /** Hands B messages of which nobody asks an acknowledgement. */
    private void deliver(int psn, int count) {
        for (int i = 0; i < count; i++) {
            ByteBuffer packet = ByteBuffer.allocate(Bth.BYTES + 4);
            Bth.write(packet, 0, Opcode.SEND_ONLY, 0, false, false, RcNetwork.QPN_B, psn + i);
            net.deliver(net.b, packet.array());
        }
    }

    private long sentByB(Urgency urgency) {
        net.b.transport.progress(net.nowNs, urgency);
        return net.b.transport.counters().sentPackets();
    }

    @Test
    void anUnsignalledMessageAsksForNoneAndEachSixteenthPacketDoes() {
        with(unasked);
        net.a.signals = false;
        net.b.receive(20, MTU);
        List<byte[]> requests = net.tapToB();
        send(16);
        run();
        assertEquals(Collections.nCopies(15, false), asked(requests).subList(0, 15));
        assertEquals(List.of(true), asked(requests).subList(15, 16));
    }

    @Test
    void aSignalledMessageAsksAsDoesEachToOtherPeers() {
        with(unasked);
        List<byte[]> requests = net.tapToB();
        send(1);
        net.a.transport.progress(net.nowNs);
        assertEquals(List.of(true), asked(requests));
        with(attributes);
        net.a.signals = false;
        requests = net.tapToB();
        send(1);
        net.a.transport.progress(net.nowNs);
        assertEquals(List.of(true), asked(requests));
    }

    @Test
    void whatNobodyAskedForWaitsForSeventeenMessagesOrSomeTime() {
        with(unasked);
        net.b.receive(60, MTU);
        deliver(100, 16);
        assertTrue(net.b.transport.isAcknowledgementHeld());
        assertFalse(net.b.transport.isAcknowledgementAsked());
        assertEquals(0, sentByB(Urgency.ASKED));
        deliver(116, 1);
        assertTrue(net.b.transport.isAcknowledgementAsked());
        assertEquals(0, sentByB(Urgency.FIRST));
        assertEquals(1, sentByB(Urgency.ASKED));
        assertFalse(net.b.transport.isAcknowledgementHeld());
        deliver(117, 1);
        assertEquals(1, sentByB(Urgency.ASKED));
        assertEquals(2, sentByB(Urgency.ALL));
        deliver(118, 31);
        assertEquals(2, sentByB(Urgency.FIRST));
        deliver(149, 1);
        assertEquals(3, sentByB(Urgency.FIRST));
    }

    @Test
    void whatIsAskedForAmongThemWaitsForNothingElse() {
        with(unasked);
        net.b.receive(30, MTU);
        deliver(100, 2);
        request(102, Opcode.SEND_ONLY, 4);
        assertTrue(net.b.transport.isAcknowledgementAsked());
        assertEquals(0, sentByB(Urgency.FIRST));
        assertEquals(1, sentByB(Urgency.ASKED));
        assertFalse(net.b.transport.isAcknowledgementAsked());
        deliver(103, 1); // it is not owed at once because the one before was asked for
        assertEquals(1, sentByB(Urgency.ASKED));
    }

    /** Nobody would ever say that they came. */
    @Test
    void otherPeersAreNotOwedWhatTheyDidNotAskFor() {
        net.b.receive(30, MTU);
        deliver(100, 20);
        assertFalse(net.b.transport.isAcknowledgementHeld());
        assertEquals(0, sentByB(Urgency.ALL));
    }

    @Test
    void whatIsSentAgainAsks() {
        with(unasked);
        net.a.signals = false;
        net.b.receive(2, MTU);
        List<byte[]> requests = net.tapToB();
        net.loseToB(number -> number < 2);
        send(2);
        run();
        assertEquals(List.of(false, false, true, false), asked(requests));
        assertEnded(WcStatus.SUCCESS, WcStatus.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void allArriveOnceHoweverManyAreLost(boolean signals) {
        for (long seed = 1; seed <= 200; seed++) {
            net = new RcNetwork(seed, unasked.withRetries(7, 7, TIMEOUT_NS), BYTES, 0xfffff0);
            net.loss = 0.05;
            net.doubles = 0.05;
            net.reorders = 0.05;
            net.a.signals = signals;
            net.b.receive(MESSAGES, MTU);
            send(MESSAGES);
            assertTrue(net.run(STEPS), "it never ends, seed=" + seed);
            assertEquals(MESSAGES, net.b.arrived.size(), "seed=" + seed);
            assertEquals(MESSAGES, net.a.ended.size(), "seed=" + seed);
            assertTrue(net.a.ended.stream().allMatch(e -> e.status() == WcStatus.SUCCESS), "seed=" + seed);
        }
    }
}
