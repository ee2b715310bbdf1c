package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/** What happens when a message finds no receive: RNR, its retries, and the order that holds meanwhile. */
public abstract class ReceiverNotReadyContract extends DeviceContract {

    protected ReceiverNotReadyContract(DeviceUnderTest dut) {
        super(dut);
    }

    private static SendRequest send(Pair pair, long wrId) {
        return SendRequest.send(wrId, pair.left().sge(0, 8)).signalled();
    }

    @ParameterizedTest(name = "rnrRetry={0}")
    @ValueSource(ints = {0, 1, 3, 6})
    void aSendWithoutAReceiveFailsWhenItsRetriesAreUsedUp(int retries) {
        Pair pair = rig.pair(Setup.usual().rnr(retries, 20_000));
        pair.left().post(send(pair, 5));
        pair.left().sentFails(5, WcStatus.RNR_RETRY_EXC_ERR);
        pair.left().awaitState(QueuePairState.ERR);
        rig.assertQuiet();
    }

    @Test
    void anUnsignalledSendThatRunsOutOfRetriesIsReported() {
        Pair pair = rig.pair(Setup.usual().rnr(1, 1000));
        pair.left().post(SendRequest.send(5, pair.left().sge(0, 8)));
        pair.left().sentFails(5, WcStatus.RNR_RETRY_EXC_ERR);
    }

    @Test
    void twoRetriesAreNotCloserThanTheTimer() {
        Pair pair = rig.pair(Setup.usual().rnr(3, 10_000_000));
        long startNs = System.nanoTime();
        pair.left().post(send(pair, 5));
        pair.left().sentFails(5, WcStatus.RNR_RETRY_EXC_ERR);
        long elapsedNs = System.nanoTime() - startNs;
        assertTrue(elapsedNs >= 30_000_000, "gave up after elapsedNs=" + elapsedNs);
    }

    @Test
    void aReceivePostedMeanwhileLetsTheSendSucceed() {
        Pair pair = rig.pair(Setup.usual().rnr(6, 160_000_000));
        pair.left().putLong(0, 77);
        pair.left().post(send(pair, 5));
        rig.assertQuiet();
        pair.right().receive(6, 64, 8);
        pair.left().sentOk(5, WcOpcode.SEND);
        pair.right().receivedOk(6, 8);
        assertEquals(77, pair.right().getLong(64));
    }

    @Test
    void sevenRetriesNeverGiveUp() {
        Pair pair = rig.pair(Setup.usual().rnr(7, 100));
        pair.left().post(send(pair, 5));
        rig.pumpFor(60);
        rig.assertQuiet();
        pair.right().receive(6, 64, 8);
        pair.left().sentOk(5, WcOpcode.SEND);
        pair.right().receivedOk(6, 8);
    }

    @Test
    void aWriteWithImmediateWaitsForAReceiveToo() {
        Pair pair = rig.pair(Setup.usual().rnr(7, 1000));
        pair.left().post(SendRequest.writeWithImmediate(5, pair.right().address(64), pair.right().mr.rkey(), 3,
                pair.left().sge(0, 8)).signalled());
        rig.assertQuiet();
        pair.right().receive(6);
        pair.left().sentOk(5, WcOpcode.RDMA_WRITE);
        assertEquals(3, pair.right().receivedOk(6, 8, WcOpcode.RECV_RDMA_WITH_IMM).immediate());
    }

    @Test
    void aWriteWithImmediateWithoutAReceiveFails() {
        Pair pair = rig.pair(Setup.usual().rnr(0, 1000));
        pair.left().post(SendRequest.writeWithImmediate(5, pair.right().address(64), pair.right().mr.rkey(), 3,
                pair.left().sge(0, 8)).signalled());
        pair.left().sentFails(5, WcStatus.RNR_RETRY_EXC_ERR);
    }

    @Test
    void whatIsPostedBehindAStalledSendWaitsForIt() {
        Pair pair = rig.pair(Setup.usual().rnr(7, 1000));
        End left = pair.left();
        byte[] data = Pattern.bytes(1, 8);
        left.put(64, data);
        left.post(send(pair, 1));
        left.post(SendRequest.write(2, pair.right().address(512), pair.right().mr.rkey(), left.sge(64, 8)).signalled(),
                SendRequest.read(3, pair.right().address(512), pair.right().mr.rkey(), left.sge(128, 8)).signalled());
        rig.assertQuiet();
        assertArrayEquals(new byte[8], pair.right().bytes(512, 8), "a write overtook a stalled send");
        pair.right().receive(9, 0, 8);
        left.sentOk(1, WcOpcode.SEND);
        left.sentOk(2, WcOpcode.RDMA_WRITE);
        left.sentOk(3, WcOpcode.RDMA_READ);
        left.assertBytes(data, 128);
    }

    @Tag("slow")
    @Test
    void theRetriesBeginAnewForEachSend() {
        Pair pair = rig.pair(Setup.usual().rnr(6, 160_000_000));
        for (int i = 0; i < 8; i++) {
            pair.left().post(send(pair, i));
            rig.assertQuiet();
            pair.right().receive(i, 0, 8);
            pair.left().sentOk(i, WcOpcode.SEND);
            pair.right().receivedOk(i, 8);
        }
    }

    @Test
    void sendsBehindOneThatGaveUpAreFlushedInOrder() {
        Pair pair = rig.pair(Setup.usual().rnr(2, 1000));
        pair.left().post(send(pair, 1), SendRequest.send(2, pair.left().sge(0, 8)), send(pair, 3));
        pair.left().sentFails(1, WcStatus.RNR_RETRY_EXC_ERR);
        pair.left().sentFails(2, WcStatus.WR_FLUSH_ERR);
        pair.left().sentFails(3, WcStatus.WR_FLUSH_ERR);
        rig.assertQuiet();
    }

    @Test
    void theReceiverGoesOnAfterTheSenderGaveUp() {
        Pair pair = rig.pair(Setup.usual().rnr(0, 1000));
        pair.left().post(send(pair, 1));
        pair.left().sentFails(1, WcStatus.RNR_RETRY_EXC_ERR);
        assertEquals(QueuePairState.RTS, pair.right().qp.state());
        pair.right().receive(2, 0, 8);
        rig.assertQuiet();
    }

    @Test
    void messagesThatWaitedArriveInOrderAndOnce() {
        Pair pair = rig.pair(Setup.usual().rnr(7, 1000).depth(16, 16));
        for (int i = 0; i < 10; i++) {
            pair.left().putLong(8L * i, i);
            pair.left().post(SendRequest.send(i, pair.left().sge(8L * i, 8)).signalled());
        }
        for (int i = 0; i < 10; i++) {
            pair.right().receive(100 + i, 4096 + 8L * i, 8);
            pair.right().receivedOk(100 + i, 8);
            assertEquals(i, pair.right().getLong(4096 + 8L * i));
            pair.left().sentOk(i, WcOpcode.SEND);
        }
        rig.assertQuiet();
    }
}
