package org.jvrpc.ibverbs.rxe;

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

/** One of two who send 16 bytes to and fro. One thread. */
final class Player implements AutoCloseable {

    private static final int BYTES = 16;
    private static final int SENT = 1;
    private static final int RECEIVED = 2;

    final QueuePair qp;
    private final Device device;
    private final ProtectionDomain pd;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    private final MemoryRegion mr;
    private final PostSend send;
    private final PostReceive receive;
    private final WorkCompletion wc = new WorkCompletion();

    /** @param number of the device */
    Player(int number, boolean inline) {
        device = RxeUnderTest.open(number, "user");
        pd = device.allocatePd();
        sendCq = device.createCq(CompletionQueueAttributes.ofDepth(16));
        receiveCq = device.createCq(CompletionQueueAttributes.ofDepth(16));
        qp = pd.createQp(new QueuePairAttributes(sendCq, receiveCq).depth(16, 16).inline(64));
        mr = pd.allocate(4096, Access.LOCAL_WRITE);
        qp.init();
        SendRequest request = SendRequest.send(SENT, Sge.of(mr, 0, BYTES)).signalled();
        send = qp.prepareSend(inline ? request.inline() : request);
        receive = qp.prepareReceive(ReceiveRequest.of(RECEIVED, Sge.of(mr, 64, BYTES)));
        receive();
    }

    /** Lets two know each other. */
    static void connect(Player left, Player right) {
        byte[] endpoint = left.qp.endpoint();
        left.qp.connect(right.qp.endpoint());
        right.qp.connect(endpoint);
    }

    /** Plays so many rounds on this thread; each posts two sends and two receives. */
    static void play(Player left, Player right, int rounds) {
        for (int i = 0; i < rounds; i++) {
            left.send();
            right.await();
            right.send();
            left.await();
            left.settle();
            right.settle();
        }
    }

    private void receive() {
        if (receive.execute() != 1) {
            throw new AssertionError("the receive queue is full");
        }
    }

    private void send() {
        if (send.execute() != 1) {
            throw new AssertionError("the send queue is full");
        }
    }

    private void await() {
        poll(receiveCq, RECEIVED);
        receive();
    }

    private void settle() {
        poll(sendCq, SENT);
    }

    private void poll(CompletionQueue cq, int wrId) {
        long startNs = 0;
        for (int turns = 1; !cq.poll(wc); turns++) {
            if ((turns & 63) == 0) {
                Thread.yield(); // the kernel's own thread for packets may wait for this processor
                startNs = startNs == 0 ? System.nanoTime() : startNs;
                if (System.nanoTime() - startNs > Deadline.BOUND_NS) {
                    throw new AssertionError("no completion, wrId=" + wrId);
                }
            }
        }
        if (wc.wrId() != wrId || !wc.succeeded()) {
            throw new AssertionError(wc.toString());
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
