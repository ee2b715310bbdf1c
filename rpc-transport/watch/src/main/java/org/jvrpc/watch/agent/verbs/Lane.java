package org.jvrpc.watch.agent.verbs;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WorkCompletion;

/** A UD QP that sends, and its memory: a slot a send. One thread. */
final class Lane {

    static final int DEPTH = 32;

    private final Device device;
    private final ProtectionDomain pd;
    private final int slotBytes;
    private final MemoryRegion memory;
    private final ByteBuffer[] slots = new ByteBuffer[DEPTH];
    private final long[] cookies = new long[DEPTH];
    private final long[] postedNs = new long[DEPTH];
    private final int[] free = new int[DEPTH];
    private final WorkCompletion wc = new WorkCompletion();
    private int frees;
    private CompletionQueue cq;
    private QueuePair qp;
    private PostSend post;

    /** @param pd of the device, whose handles it sends by */
    Lane(Device device, ProtectionDomain pd, int slotBytes) {
        this.device = device;
        this.pd = pd;
        this.slotBytes = slotBytes;
        this.memory = pd.allocate((long) DEPTH * slotBytes, 0);
        for (int i = 0; i < DEPTH; i++) {
            slots[i] = memory.buffer((long) i * slotBytes, slotBytes);
        }
    }

    ProtectionDomain pd() {
        return pd;
    }

    /** Sends a copy. @return false when there is no room */
    boolean send(Destination to, ByteBuffer payload, long cookie) {
        if (qp == null) {
            open(to);
        }
        if (frees == 0) {
            return false;
        }
        int slot = free[--frees];
        slots[slot].put(0, payload, payload.position(), payload.remaining());
        cookies[slot] = cookie;
        post.destination(0, to).wrId(0, slot).offset(0, 0, (long) slot * slotBytes)
                .length(0, 0, payload.remaining());
        postedNs[slot] = System.nanoTime(); // before: the peer may have it when the post returns
        if (post.execute() != 1) {
            free[frees++] = slot;
            return false;
        }
        return true;
    }

    private void open(Destination to) {
        cq = device.createCq(CompletionQueueAttributes.ofDepth(2 * DEPTH));
        qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(DEPTH, 1).sges(1, 1).datagram(VerbsProbes.QKEY));
        qp.init();
        qp.ready();
        post = qp.prepareSend(SendRequest.datagram(0, to, Sge.of(memory, 0, slotBytes)).signalled());
        for (frees = 0; frees < DEPTH; frees++) {
            free[frees] = frees;
        }
    }

    /** Looks for a send that is complete, {@link #wc()}; its slot is free. */
    boolean poll() {
        if (qp == null || frees == DEPTH || !cq.poll(wc)) {
            return false;
        }
        free[frees++] = (int) wc.wrId();
        return true;
    }

    /** Returns true when all that was sent has been seen to leave. */
    boolean isIdle() {
        return qp == null || frees == DEPTH;
    }

    /** Returns what {@link #poll} found. */
    WorkCompletion wc() {
        return wc;
    }

    /** Returns the cookie of what {@link #poll} found. */
    long cookie() {
        return cookies[(int) wc.wrId()];
    }

    /** Returns when what {@link #poll} found had been posted. */
    long postedNs() {
        return postedNs[(int) wc.wrId()];
    }

    /** Ends a QP that failed, whose sends are complete or lost: the next send has another. */
    void reset() {
        if (qp != null) {
            post.free();
            qp.close();
            cq.close();
            qp = null;
        }
    }
}
