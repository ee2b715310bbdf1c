package org.jvrpc.watch.agent.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WorkCompletion;

/** The UD QP that receives, with its receives posted. One thread. */
final class Arrivals {

    private static final int DEPTH = 512;
    private static final int HEADER = QueuePair.DATAGRAM_HEADER_BYTES;

    private final EventChannel channel;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final PostReceive post;
    private final int slotBytes;
    private final ByteBuffer[] slots = new ByteBuffer[DEPTH];
    private final WorkCompletion wc = new WorkCompletion();

    /** @param maxBytes of a datagram */
    Arrivals(Device device, ProtectionDomain pd, int maxBytes) {
        slotBytes = HEADER + maxBytes;
        channel = device.createChannel();
        cq = device.createCq(CompletionQueueAttributes.ofDepth(DEPTH).withChannel(channel));
        CompletionQueue none = device.createCq(CompletionQueueAttributes.ofDepth(1)); // nothing is sent
        qp = pd.createQp(new QueuePairAttributes(none, cq).depth(1, DEPTH).sges(1, 1).datagram(VerbsProbes.QKEY));
        MemoryRegion memory = pd.allocate((long) DEPTH * slotBytes, Access.LOCAL_WRITE);
        qp.init();
        post = qp.prepareReceive(ReceiveRequest.of(0, Sge.of(memory, 0, slotBytes)));
        for (int i = 0; i < DEPTH; i++) {
            slots[i] = memory.buffer((long) i * slotBytes + HEADER, maxBytes).order(ByteOrder.BIG_ENDIAN);
            repost(i);
        }
        qp.ready();
    }

    int qpn() {
        return qp.number();
    }

    byte[] endpoint() {
        return qp.endpoint();
    }

    private void repost(int slot) {
        if (post.wrId(0, slot).offset(0, 0, (long) slot * slotBytes).execute() != 1) {
            throw new VerbsException("post_recv", "receive queue is full, slot=" + slot);
        }
    }

    /** Takes a datagram, if there is one; it is {@link #payload()} until {@link #done()}. */
    boolean poll() {
        if (!cq.poll(wc)) {
            return false;
        }
        if (!wc.succeeded()) {
            throw new VerbsException("poll_cq", "the QP that receives probes has failed: " + wc);
        }
        return true;
    }

    /** Returns the datagram, from 0 to its limit. */
    ByteBuffer payload() {
        return slots[(int) wc.wrId()].clear().limit(Math.max(0, wc.byteLength() - HEADER));
    }

    /** Its memory is free again. */
    void done() {
        repost((int) wc.wrId());
    }

    /** Waits for a datagram. */
    void await(long timeoutNs) {
        cq.arm();
        if (cq.hasMore()) {
            cq.disarm();
            return;
        }
        channel.await(timeoutNs);
        cq.disarm();
    }
}
