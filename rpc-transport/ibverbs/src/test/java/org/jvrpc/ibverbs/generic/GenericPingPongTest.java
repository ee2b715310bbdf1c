package org.jvrpc.ibverbs.generic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.ibverbs.RxeUnderTest;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/** Messages to and fro between two devices of the kernel, each with other contents. */
@NeedsRdmaDevice
final class GenericPingPongTest {

    private static final int ROUNDS = 5_000;
    private static final int BYTES = 16;

    /** One end: what it sends lies at 0, what it receives at 64. */
    private static final class End implements AutoCloseable {

        private final Device device;
        private final ProtectionDomain pd;
        private final CompletionQueue cq;
        private final QueuePair qp;
        private final MemoryRegion mr;
        private final PostSend send;
        private final PostReceive receive;
        private final WorkCompletion wc = new WorkCompletion();

        End(int which) {
            device = RxeUnderTest.open(which, "generic");
            pd = device.allocatePd();
            cq = device.createCq(CompletionQueueAttributes.ofDepth(64));
            qp = pd.createQp(new QueuePairAttributes(cq, cq));
            mr = pd.allocate(4096, Access.LOCAL_WRITE);
            qp.init();
            send = qp.prepareSend(SendRequest.send(1, Sge.of(mr, 0, BYTES)).signalled());
            receive = qp.prepareReceive(ReceiveRequest.of(2, Sge.of(mr, 64, BYTES)));
            assertEquals(1, receive.execute());
        }

        void send(long value) {
            mr.buffer(0, BYTES).putLong(0, value).putLong(8, ~value);
            assertEquals(1, send.execute());
        }

        /** Polls what was sent, if anything, and what is received. */
        void await(long value, int completions) {
            Deadline deadline = Deadline.usual();
            for (int n = 0; n < completions; n++) {
                while (!cq.poll(wc)) {
                    deadline.turn(() -> "completion of value=" + value);
                }
                assertTrue(wc.succeeded(), wc::toString);
            }
            assertEquals(value, mr.buffer(64, BYTES).getLong(0));
            assertEquals(~value, mr.buffer(64, BYTES).getLong(8));
            assertEquals(1, receive.execute());
        }

        @Override
        public void close() {
            qp.close();
            cq.close();
            mr.close();
            pd.close();
            device.close();
        }
    }

    @Test
    void everyMessageComesBackWithItsContents() {
        try (End left = new End(0); End right = new End(1)) {
            byte[] endpoint = left.qp.endpoint();
            left.qp.connect(right.qp.endpoint());
            right.qp.connect(endpoint);
            long startNs = System.nanoTime();
            for (int i = 0; i < ROUNDS; i++) {
                left.send(i);
                right.await(i, i == 0 ? 1 : 2);
                right.send(-i);
                left.await(-i, 2);
            }
            long ns = System.nanoTime() - startNs;
            System.out.println("generic ping-pong, ns for half a round trip: " + ns / ROUNDS / 2);
        }
    }
}
