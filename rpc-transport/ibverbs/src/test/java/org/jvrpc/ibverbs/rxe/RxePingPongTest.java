package org.jvrpc.ibverbs.rxe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
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

/** A message to and fro between two devices: what it costs in memory. */
@NeedsRdmaDevice
final class RxePingPongTest {

    private static final int BYTES = 16;
    private static final int WARM_UP = 3_000;
    private static final int ROUNDS = 10_000;

    /** One of the two. */
    private static final class Player implements AutoCloseable {

        final Device device;
        final ProtectionDomain pd;
        final CompletionQueue sendCq;
        final CompletionQueue receiveCq;
        final QueuePair qp;
        final MemoryRegion mr;
        final PostSend send;
        final PostReceive receive;
        private final WorkCompletion wc = new WorkCompletion();

        Player(int number) {
            device = RxeUnderTest.open(number);
            pd = device.allocatePd();
            sendCq = device.createCq(CompletionQueueAttributes.ofDepth(16));
            receiveCq = device.createCq(CompletionQueueAttributes.ofDepth(16));
            qp = pd.createQp(new QueuePairAttributes(sendCq, receiveCq).depth(16, 16).inline(64));
            mr = pd.allocate(4096, Access.LOCAL_WRITE);
            qp.init();
            send = qp.prepareSend(SendRequest.send(1, Sge.of(mr, 0, BYTES)).signalled());
            receive = qp.prepareReceive(ReceiveRequest.of(2, Sge.of(mr, 64, BYTES)));
            assertEquals(1, receive.execute());
        }

        void send(long value) {
            mr.buffer(0, 8).putLong(0, value);
            assertEquals(1, send.execute());
        }

        /** Waits for the next message, and for the end of the last send. */
        void await(boolean sent) {
            while (!receiveCq.poll(wc)) {
                Thread.onSpinWait();
            }
            assertEquals(2, wc.wrId());
            assertTrue(wc.succeeded());
            assertEquals(1, receive.execute());
            while (sent && !sendCq.poll(wc)) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() {
            qp.close();
            sendCq.close();
            receiveCq.close();
            mr.close();
            pd.close();
            device.close();
        }
    }

    @Test
    @Timeout(60)
    void aRoundTripAllocatesNothing() {
        try (Player left = new Player(0); Player right = new Player(1)) {
            byte[] endpoint = left.qp.endpoint();
            left.qp.connect(right.qp.endpoint());
            right.qp.connect(endpoint);
            rounds(left, right, WARM_UP);
            com.sun.management.ThreadMXBean threads =
                    (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            long id = Thread.currentThread().getId();
            long before = threads.getThreadAllocatedBytes(id);
            long startNs = System.nanoTime();
            rounds(left, right, ROUNDS);
            long elapsedNs = System.nanoTime() - startNs;
            long allocated = threads.getThreadAllocatedBytes(id) - before;
            System.out.println("one thread, both ends: ns per round trip=" + elapsedNs / ROUNDS);
            assertTrue(allocated < ROUNDS, "allocated bytes=" + allocated + " rounds=" + ROUNDS);
        }
    }

    private static void rounds(Player left, Player right, int count) {
        for (int i = 0; i < count; i++) {
            assertEquals(1, left.send.execute());
            right.await(i > 0);
            assertEquals(1, right.send.execute());
            left.await(true);
        }
        right.sendCq.poll(right.wc);
        while (right.wc.wrId() != 1 && !right.sendCq.poll(right.wc)) {
            Thread.onSpinWait();
        }
    }
}
