package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/** The states of an RC QP, and what each refuses. */
public abstract class StateContract extends DeviceContract {

    StateContract(DeviceUnderTest dut) {
        super(dut);
    }

    private End inState(QueuePairState state) {
        End end = rig.left.end(Setup.usual());
        if (state != QueuePairState.RESET) {
            end.qp.init();
        }
        if (state == QueuePairState.RTS) {
            End peer = rig.right.end(Setup.usual());
            Pair.connect(end, peer);
        }
        if (state == QueuePairState.ERR) {
            end.qp.error();
        }
        assertEquals(state, end.qp.state());
        return end;
    }

    private static void refused(End end, Executable transition) {
        QueuePairState before = end.qp.state();
        VerbsException e = assertThrows(VerbsException.class, transition);
        assertTrue(e.getMessage().contains(before.name()), "message names the state: " + e.getMessage());
        assertEquals(before, end.qp.state(), "a refused transition changes nothing");
    }

    @Test
    void aQpGoesFromResetThroughInitToReadyToSend() {
        assumeTrue(dut.meetsByEndpoints(), "the device connects QPs by connections alone");
        End left = inState(QueuePairState.RESET);
        End right = rig.right.end(Setup.usual());
        left.qp.init();
        right.qp.init();
        assertEquals(QueuePairState.INIT, left.qp.state());
        byte[] endpoint = left.qp.endpoint();
        left.qp.connect(right.qp.endpoint());
        assertEquals(QueuePairState.RTS, left.qp.state());
        right.qp.connect(endpoint);
        assertEquals(QueuePairState.RTS, right.qp.state());
    }

    @Test
    void initIsRefusedOutsideReset() {
        for (QueuePairState state : new QueuePairState[] {
            QueuePairState.INIT, QueuePairState.RTS, QueuePairState.ERR}) {
            End end = inState(state);
            refused(end, end.qp::init);
        }
    }

    @Test
    void connectIsRefusedOutsideInit() {
        End peer = rig.right.end(Setup.usual());
        peer.qp.init();
        byte[] endpoint = peer.qp.endpoint();
        for (QueuePairState state : new QueuePairState[] {
            QueuePairState.RESET, QueuePairState.RTS, QueuePairState.ERR}) {
            End end = inState(state);
            refused(end, () -> end.qp.connect(endpoint));
        }
    }

    @Test
    void theEndpointIsNotToBeHadInReset() {
        End end = inState(QueuePairState.RESET);
        assertThrows(VerbsException.class, end.qp::endpoint);
    }

    @Test
    void anEndpointThatMakesNoSenseIsRefused() {
        for (byte[] endpoint : new byte[][] {{}, {1, 2, 3}, Pattern.bytes(1, 64), Pattern.bytes(2, 300)}) {
            End end = inState(QueuePairState.INIT);
            assertThrows(VerbsException.class, () -> end.qp.connect(endpoint), () -> endpoint.length + " bytes");
            end.qp.close();
        }
        rig.pair().exercise(1);
    }

    @Test
    void anEndpointWithOneByteCutOffIsRefused() {
        End peer = inState(QueuePairState.INIT);
        byte[] endpoint = peer.qp.endpoint();
        End end = inState(QueuePairState.INIT);
        assertThrows(VerbsException.class,
                () -> end.qp.connect(Arrays.copyOf(endpoint, endpoint.length - 1)));
    }

    @Test
    void errorIsRefusedInReset() {
        End end = inState(QueuePairState.RESET);
        refused(end, end.qp::error);
    }

    @Test
    void errorMayBeAskedForAgain() {
        End end = inState(QueuePairState.ERR);
        end.qp.error();
        assertEquals(QueuePairState.ERR, end.qp.state());
    }

    @Test
    void nothingMayBePostedInReset() {
        End end = inState(QueuePairState.RESET);
        assertThrows(IllegalStateException.class, () -> end.tryReceive(ReceiveRequest.of(1, end.sge(0, 8))));
        assertThrows(IllegalStateException.class, () -> end.tryPost(SendRequest.send(1).signalled()));
        rig.assertQuiet();
    }

    @Test
    void sendsAreRefusedInInitAndReceivesAreTaken() {
        End end = inState(QueuePairState.INIT);
        end.receive(1, 0, 8);
        assertThrows(IllegalStateException.class, () -> end.tryPost(SendRequest.send(1).signalled()));
        rig.assertQuiet();
    }

    @Test
    void receivesPostedInInitAreServedAfterConnecting() {
        End left = inState(QueuePairState.INIT);
        End right = rig.right.end(Setup.usual());
        right.qp.init();
        right.receive(1, 0, 8);
        Pair.connect(left, right);
        left.post(SendRequest.send(2, left.sge(0, 8)).signalled());
        left.sentOk(2, WcOpcode.SEND);
        right.receivedOk(1, 8);
    }

    @Test
    void callsPreparedInResetExecuteOnceTheStateTakesThem() {
        End left = inState(QueuePairState.RESET);
        PostSend send = left.qp.prepareSend(SendRequest.send(2, left.sge(0, 8)).signalled());
        End right = rig.right.end(Setup.usual());
        PostReceive receive = right.qp.prepareReceive(ReceiveRequest.of(1, right.sge(0, 8)));
        Pair.connect(left, right);
        assertEquals(1, receive.execute());
        assertEquals(1, send.execute());
        right.receivedOk(1, 8);
    }

    @Test
    void errorInInitFlushesTheReceives() {
        End end = inState(QueuePairState.INIT);
        end.receive(1, 0, 8);
        end.receive(2, 0, 8);
        end.qp.error();
        end.receivedFails(1, WcStatus.WR_FLUSH_ERR);
        end.receivedFails(2, WcStatus.WR_FLUSH_ERR);
        rig.assertQuiet();
    }

    @Test
    void qpsAndCqsHaveNumbersOfTheirOwn() {
        End first = inState(QueuePairState.RESET);
        End second = inState(QueuePairState.RESET);
        assertNotEquals(first.qp.number(), second.qp.number());
        CompletionQueue cq = first.sends.cq();
        assertNotEquals(cq.number(), first.receives.cq().number());
        assertTrue(first.qp.number() >>> 24 == 0, "a QP number has 24 bits");
    }

    @Test
    void closingAQpInAnyStateIsIdempotentAndEndsIt() {
        for (QueuePairState state : new QueuePairState[] {
            QueuePairState.RESET, QueuePairState.INIT, QueuePairState.RTS, QueuePairState.ERR}) {
            QueuePair qp = inState(state).qp;
            PostSend call = qp.prepareSend(SendRequest.send(1).signalled());
            qp.close();
            qp.close();
            assertTrue(!call.valid(), "a call of a closed QP is not valid");
            assertThrows(IllegalStateException.class, call::execute);
        }
        rig.assertQuiet();
    }

    @Test
    void workOutstandingWhenAQpClosesIsNotReportedAnyMore() {
        Pair pair = rig.pair(Setup.usual().rnr(7, 1000));
        pair.left().receive(1, 0, 8);
        pair.left().post(SendRequest.send(2, pair.left().sge(0, 8)).signalled());
        pair.left().qp.close();
        rig.assertQuiet();
    }
}
