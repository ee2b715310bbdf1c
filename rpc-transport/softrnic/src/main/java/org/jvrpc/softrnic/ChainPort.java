package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import java.util.List;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.VerbsException;

/** The send queue of a cross-channel QP of this device: its context, which all processes see, and its doorbell. */
final class ChainPort implements SendEngine {

    private final ChainGroup group;
    private final QueuePairAttributes attributes;
    private final Arena.Block block;
    private final Quarantine quarantine;
    private final ByteBuffer memory;
    private final int context;
    private final int qpn;
    private final SoftCompletionQueue sendCq;
    private final SoftCompletionQueue receiveCq;

    /** The doorbell's last value, when nobody could be told; of the thread that posts and polls. */
    private int rung;
    private boolean owesRing;

    /**
     * @param ring address of the ring
     * @param qp address of the QP's context
     */
    ChainPort(
            SoftDevice device,
            ChainGroup group,
            Quarantine quarantine,
            QueuePairAttributes attributes,
            int qpn,
            int blocks,
            long ring,
            long qp) {
        this.group = group;
        this.quarantine = quarantine;
        this.attributes = attributes;
        this.qpn = qpn;
        this.sendCq = device.own(attributes.sendCq());
        this.receiveCq = device.own(attributes.receiveCq());
        boolean managed = attributes.isManagedSend();
        this.block = device.arena().allocate(QueueContext.BYTES + (managed ? 0 : (long) blocks * Wqe.BLOCK));
        this.memory = block.slab().window(block.address());
        this.context = Slab.index(block.address());
        int flags = (managed ? QueueContext.MANAGED : 0)
                | (attributes.isChecked() ? QueueContext.CHECKED : 0)
                | (attributes.isManagedReceive() ? QueueContext.MANAGED_RECEIVE : 0);
        QueueContext.write(memory, context, qpn, flags, blocks, ring, qp, sendCq.address(), attributes.rnrRetry());
    }

    /** Makes the queue and its CQs members of the group. */
    void join() {
        sendCq.join(group);
        receiveCq.join(group);
        group.change(shared -> GroupContext.addQueue(shared, group.context(), block.address()),
                "too many cross-channel QPs in a protection domain");
    }

    /** Says who the peer is. */
    void connect(String peerDevice, long peer) {
        QueueContext.connect(memory, context, peerDevice, peer);
    }

    @Override
    public void connect(Responder peer) {
        if (peer instanceof SharedResponder) {
            throw new VerbsException("modify_qp", "the peer of a cross-channel QP must have receives of its own, not an"
                    + " SRQ's: qp number=" + qpn);
        }
        if (peer.completions().isExclusive()) {
            throw new VerbsException("modify_qp", "the peer of a cross-channel QP must not have an exclusive CQ for its"
                    + " receives, since several processes may feed it: qp number=" + qpn);
        }
    }

    @Override
    public void wakePeer() {
        // Each delivery sees to it.
    }

    @Override
    public void ring(int producer) {
        if (attributes.isManagedSend()) {
            return;
        }
        if (group.claim()) {
            owesRing = false;
            try {
                QueueContext.limit(memory, context, producer);
                group.run();
            } finally {
                group.release();
            }
        } else if (!group.isCutOff()) {
            rung = producer; // who has the claim may have lost its processor: polls ring again
            owesRing = true;
        }
        if (isStalled()) {
            sendCq.driver().alert();
        }
    }

    @Override
    public boolean isStalled() {
        return owesRing || group.isHeld();
    }

    @Override
    public void progress() {
        if (owesRing) {
            owesRing = false;
            ring(rung);
        } else {
            group.resume();
        }
    }

    /** Leaves the group. */
    void close() {
        group.change(shared -> {
            GroupContext.removeQueue(shared, group.context(), block.address());
            return true;
        }, "leaving");
        Quarantine.free(block, List.of(quarantine));
    }

    /** Returns true when a process that lives was in the middle of a run when it lost the claim. */
    boolean wasTakenOver() {
        return group.wasTakenOver();
    }
}
