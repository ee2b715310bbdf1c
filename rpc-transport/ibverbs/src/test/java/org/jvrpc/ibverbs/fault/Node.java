package org.jvrpc.ibverbs.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.jvrpc.testing.Waits;
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
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/** One end: a QP in INIT with its CQs, and memory with all rights. The device is the caller's. One thread. */
final class Node implements AutoCloseable {

    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    /** How long any wait may take. */
    static final long LIMIT_MS = Waits.limitNs() / 1_000_000;
    private static final int DEPTH = 64;

    final Device device;
    final ProtectionDomain pd;
    final CompletionQueue sends;
    final CompletionQueue receives;
    final QueuePair qp;
    final MemoryRegion mr;
    final WorkCompletion wc = new WorkCompletion();

    Node(Device device, int bytes) {
        this.device = device;
        pd = device.allocatePd();
        sends = device.createCq(CompletionQueueAttributes.ofDepth(2 * DEPTH));
        receives = device.createCq(CompletionQueueAttributes.ofDepth(2 * DEPTH));
        qp = pd.createQp(new QueuePairAttributes(sends, receives).depth(DEPTH, DEPTH)
                .rnr(QueuePairAttributes.RNR_RETRY_FOREVER, 640_000));
        mr = pd.allocate(bytes, ALL);
        qp.init();
    }

    /** Connects two, by exchange of endpoints. */
    static void connect(Node left, Node right) {
        byte[] endpoint = left.qp.endpoint();
        left.qp.connect(right.qp.endpoint());
        right.qp.connect(endpoint);
    }

    void post(SendRequest request) {
        PostSend call = qp.prepareSend(request);
        assertEquals(1, call.execute(), () -> "accepted sends of qp=" + qp.number());
        call.free();
    }

    void receive(ReceiveRequest request) {
        PostReceive call = qp.prepareReceive(request);
        assertEquals(1, call.execute(), () -> "accepted receives of qp=" + qp.number());
        call.free();
    }

    /** Waits for the next completion and returns its status. */
    WcStatus await(CompletionQueue cq, long wrId) {
        Deadline deadline = Deadline.ofMillis(LIMIT_MS);
        while (!cq.poll(wc)) {
            deadline.turn(() -> "completion of wrId=" + wrId + " state=" + qp.state() + " counters=" + Counters.read());
        }
        assertEquals(wrId, wc.wrId(), wc::toString);
        return wc.status();
    }

    @Override
    public void close() {
        qp.close();
        sends.close();
        receives.close();
        mr.close();
        pd.close();
    }
}
