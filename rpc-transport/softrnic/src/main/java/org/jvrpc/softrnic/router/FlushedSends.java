package org.jvrpc.softrnic.router;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.PortCompletionQueue;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.verbs.WcStatus;

/**
 * Completes with flush errors what a router that is gone has left in a QP's send ring: all behind the last WQE of which
 * it wrote a completion, for nobody knows how far it came with the others. With the QP's lock held.
 */
final class FlushedSends {

    private final PortQueuePair qp;
    private final CqWriter completions;
    private final ByteBuffer memory;
    private final int context;
    private final int entries;
    private final int cqeBytes;
    private boolean begun;
    private int next;

    FlushedSends(PortQueuePair qp) {
        PortCompletionQueue cq = qp.sendCq();
        this.qp = qp;
        this.completions = new CqWriter(cq.slab(), cq.address(), qp.number(), cq::wake, false);
        this.memory = cq.slab().window(cq.address());
        this.context = Slab.index(cq.address());
        this.entries = CqContext.entries(memory, context);
        this.cqeBytes = CqContext.cqeBytes(memory, context);
    }

    /** Flushes what is posted by now. */
    void run() {
        Mlx5QueuePair driver = qp.driver();
        if (!begun) {
            begun = true;
            next = firstLeft(driver);
        }
        int end = driver.newestSend();
        while (next - end < 0) {
            completions.fail(next, Cqe.REQ_ERR, WcStatus.WR_FLUSH_ERR, 0);
            next = driver.sendAfter(next);
        }
    }

    /** Returns the number of the first send that has no completion, polled or not. */
    private int firstLeft(Mlx5QueuePair driver) {
        int last = lastInRing();
        int oldest = driver.oldestSend(); // behind the look at the ring: what was polled since is before it
        int ahead = last < 0 ? -1 : last - oldest & 0xffff;
        return ahead >= 0 && ahead < driver.newestSend() - oldest ? driver.sendAfter(oldest + ahead) : oldest;
    }

    /** Returns the counter of the QP's last send whose completion lies in the CQ, or -1. */
    private int lastInRing() {
        int shift = Integer.numberOfTrailingZeros(entries);
        int consumer = BigEndian.getIntAcquire(memory, context + CqContext.RECORD + DoorbellRecord.CONSUMER);
        int found = -1;
        for (int i = consumer; i != consumer + entries; i++) {
            int at = context + CqContext.RING + (i & entries - 1) * cqeBytes + cqeBytes - Cqe.BYTES;
            long tail = BigEndian.getLongAcquire(memory, at + Cqe.TAIL);
            if (!Cqe.valid(tail, i >>> shift)) {
                break;
            }
            if (Cqe.qpn(tail) == qp.number() && (Cqe.opcode(tail) == Cqe.REQ || Cqe.opcode(tail) == Cqe.REQ_ERR)) {
                found = Cqe.wqeCounter(tail);
            }
        }
        return found;
    }
}
