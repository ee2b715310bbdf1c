package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.ChainEnd.Queue;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** Cross-channel QPs whose peers are reached by packets. */
class RoceChainTest extends RoceEnds {

    private static final int ROUNDS = 300;
    private static final String DEVICE = "roce://127.0.0.1:1";
    private final WorkCompletion wc = new WorkCompletion();

    private static void connect(Queue chain, ShmEnd peer) {
        byte[] endpoint = chain.qp.endpoint();
        chain.qp.connect(peer.qp.endpoint());
        peer.qp.connect(endpoint);
    }

    private static void receives(ShmEnd peer, int count, int length) {
        for (int i = 0; i < count; i++) {
            assertEquals(1, peer.qp.prepareReceive(ReceiveRequest.of(i, peer.sge(0, length))).execute());
        }
    }

    /** Some have WQEs under way when they go, some peers go first, some queues fail before. */
    @Test
    void queuesComeAndGoInWhateverState() {
        ChainEnd end = new ChainEnd(open(DEVICE));
        Device other = open(DEVICE);
        for (int i = 0; i < ROUNDS; i++) {
            ShmEnd peer = new ShmEnd(other, 16);
            Queue beside = end.loopback(8, i % 2 == 0, true);
            Queue queue = end.queue(8, false, false, true);
            connect(queue, peer);
            receives(peer, 4 + i % 5, 4096);
            for (int n = 0; n < 8; n++) {
                queue.post(Code.send(end.piece(0, 1 + 500 * n)).signalled());
            }
            int expected = i % 8;
            for (int n = 0; n < Math.min(expected, 4); n++) {
                Waits.until("completion " + n + " of round " + i, () -> queue.cq.poll(wc));
                assertTrue(wc.succeeded(), wc::toString);
                assertEquals(queue.qp.number(), wc.qpNumber());
            }
            if (i % 3 == 0) {
                peer.close();
            }
            if (i % 3 == 1) {
                queue.qp.error();
                for (int n = Math.min(expected, 4); n < 8; n++) {
                    Waits.until("flush " + n + " of round " + i, () -> queue.cq.poll(wc), queue.qp::state);
                }
            }
            queue.code.close();
            queue.qp.close();
            queue.cq.close();
            beside.code.close();
            beside.qp.close();
            beside.cq.close();
            if (i % 3 != 0) {
                peer.close();
            }
        }
    }

    @Test
    void aPeerThatGoesIsNoticed() {
        ChainEnd end = new ChainEnd(open(DEVICE));
        ShmEnd peer = new ShmEnd(open(DEVICE), 16);
        Queue queue = end.queue(8, false, false, true);
        connect(queue, peer);
        receives(peer, 1, 64);
        queue.post(Code.send(end.piece(0, 8)).signalled());
        Waits.until("completion", () -> queue.cq.poll(wc));
        peer.close();
        queue.post(Code.send(end.piece(0, 8)).signalled(), Code.send(end.piece(0, 8)).signalled());
        Waits.until("failure", () -> queue.cq.poll(wc));
        assertEquals(WcStatus.RETRY_EXC_ERR, wc.status());
        Waits.until("flush", () -> queue.cq.poll(wc));
        assertEquals(WcStatus.WR_FLUSH_ERR, wc.status());
        assertEquals(QueuePairState.ERR, queue.qp.state());
    }
}
