package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What messages to receives of an SRQ leave at both ends when execute() returns. One thread. */
final class SharedVerbRulesTest {

    private final Device device = ShmUnderTest.open();
    private final WorkCompletion wc = new WorkCompletion();

    @AfterEach
    void close() {
        device.close();
    }

    private void expect(CompletionQueue cq, WcStatus status) {
        assertTrue(cq.poll(wc), "no completion");
        assertEquals(status, wc.status());
    }

    /** A receiver whose receives, of these pieces, are those of an SRQ of another domain. */
    private final class Shared {

        private final ProtectionDomain pd = device.allocatePd();
        private final MemoryRegion mr = pd.allocate(4096, Access.LOCAL_WRITE);
        private final SharedReceiveQueue srq = pd.createSrq(new SharedReceiveQueueAttributes(7, 2));
        private final ShmEnd sender = new ShmEnd(device, 4);
        private final ShmEnd receiver =
                new ShmEnd(device, 4, null, sender.channel, attributes -> attributes.sharedReceive(srq));

        Shared(int badKey) {
            byte[] endpoint = sender.qp.endpoint();
            sender.qp.connect(receiver.qp.endpoint());
            receiver.qp.connect(endpoint);
            for (int i = 0; i < 2; i++) {
                assertEquals(1, srq.prepareReceive(ReceiveRequest.of(i, Sge.of(mr, 0, 100),
                        new Sge(mr.address() + 1000, 200, mr.lkey() ^ badKey))).execute());
            }
            for (int i = 0; i < 400; i++) {
                sender.mr.buffer(i, 1).put(0, (byte) (i % 100 + 1));
            }
        }

        void send(int length, boolean signalled) {
            SendRequest request = SendRequest.send(5, sender.sge(0, length));
            assertEquals(1, sender.qp.prepareSend(signalled ? request.signalled() : request).execute());
        }

        void fails(WcStatus here, WcStatus there) {
            expect(sender.sendCq, here);
            expect(receiver.receiveCq, there);
            assertEquals(0, wc.wrId());
            assertEquals(QueuePairState.ERR, receiver.qp.state());
            assertFalse(receiver.receiveCq.poll(wc), wc::toString); // the other receive is the queue's still
            assertEquals(6, srq.prepareReceive(ReceiveRequest.of(2), ReceiveRequest.of(2), ReceiveRequest.of(2),
                    ReceiveRequest.of(2), ReceiveRequest.of(2), ReceiveRequest.of(2), ReceiveRequest.of(2)).execute());
        }
    }

    @ParameterizedTest
    @CsvSource({"90,false", "90,true", "250,false", "250,true"})
    void aMessageGoesToTheMemoryOfTheSharedQueue(int length, boolean signalled) {
        Shared shared = new Shared(0);
        shared.send(length, signalled);
        expect(shared.receiver.receiveCq, WcStatus.SUCCESS);
        assertEquals(0, wc.wrId());
        assertEquals(length, wc.byteLength());
        for (int i = 0; i < length; i++) {
            assertEquals(i % 100 + 1, shared.mr.buffer(i < 100 ? i : 900 + i, 1).get(0), "byte " + i);
        }
        assertEquals(signalled, shared.sender.sendCq.poll(wc));
    }

    @Test
    void aSharedReceiveThatIsTooShortOrHasABadKeyFailsBothEnds() {
        new Shared(0).send(300, false);
        Shared tooShort = new Shared(0);
        tooShort.send(301, true);
        tooShort.fails(WcStatus.REM_INV_REQ_ERR, WcStatus.LOC_LEN_ERR);
        Shared badKey = new Shared(0x3300);
        badKey.send(101, false);
        badKey.fails(WcStatus.REM_OP_ERR, WcStatus.LOC_PROT_ERR);
    }

    @Test
    void aSharedReceiveThatARefusedWriteTookIsFlushed() {
        Shared shared = new Shared(0);
        assertEquals(1, shared.sender.qp.prepareSend(SendRequest.writeWithImmediate(
                5, shared.mr.address(), shared.mr.rkey(), 1, shared.sender.sge(0, 8))).execute());
        shared.fails(WcStatus.REM_ACCESS_ERR, WcStatus.WR_FLUSH_ERR);
    }
}
