package org.jvrpc.softrnic.chain;

import java.nio.ByteBuffer;
import java.util.List;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.PortCompletionQueue;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.rc.MessageChains;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.softrnic.rc.SharedResponder;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.VerbsException;

/** The send queue of a cross-channel QP of this device: its context, which all processes see, and its doorbell. */
public final class ChainEngine implements SendEngine {

    private final ChainGroup group;
    private final QueuePairAttributes attributes;
    private final Arena.Block block;
    private final Quarantine quarantine;
    private final ByteBuffer memory;
    private final int context;
    private final int qpn;
    private final PortCompletionQueue sendCq;
    private final boolean prefetches;

    /** The doorbell's last value, when nobody could be told; of the thread that posts and polls. */
    private int rung;
    private boolean owesRing;

    /**
     * @param arena of the QP's device
     * @param group of its protection domain
     */
    public ChainEngine(Arena arena, ChainGroup group, PortQueuePair qp) {
        this.group = group;
        this.quarantine = qp.quarantines().get(0);
        this.attributes = qp.attributes();
        this.qpn = qp.number();
        this.sendCq = qp.sendCq();
        int blocks = qp.sends().entries();
        boolean managed = attributes.isManagedSend();
        this.prefetches = managed && group.prefetchesManaged();
        boolean copies = !managed || prefetches;
        this.block = arena.allocate(QueueContext.BYTES + (copies ? (long) blocks * Wqe.BLOCK : 0));
        this.memory = block.slab().window(block.address());
        this.context = Slab.index(block.address());
        int flags = (managed ? QueueContext.MANAGED : 0)
                | (prefetches ? QueueContext.PREFETCHING : 0)
                | (attributes.isChecked() ? QueueContext.CHECKED : 0)
                | (attributes.isManagedReceive() ? QueueContext.MANAGED_RECEIVE : 0);
        long ring = qp.address() + qp.sends().ring() - qp.context();
        QueueContext.write(
                memory, context, qpn, flags, blocks, ring, qp.address(), sendCq.address(), attributes.rnrRetry());
    }

    /** Makes the queue a member of the group; its CQs are. */
    public void join() {
        group.change(shared -> GroupContext.addQueue(shared, group.context(), block.address()),
                "too many cross-channel QPs in a protection domain");
    }

    /** Says who the peer is. */
    public void connect(String peerDevice, long peer) {
        QueueContext.connect(memory, context, peerDevice, peer);
    }

    /** Connects by packets. */
    public void connect(RemoteVerbs verbs) {
        group.peers().add(qpn, verbs);
    }

    /** Runs the group, as something happened that its queues may wait for; false when somebody else has it too long. */
    public boolean run() {
        if (!group.claim()) {
            return group.isCutOff();
        }
        try {
            group.run();
        } finally {
            group.release();
        }
        return true;
    }

    /** Returns what messages to the QP run. */
    public MessageChains chains() {
        return group;
    }

    /** Looks whether a peer can be sent to by whoever runs the group. @throws VerbsException when it cannot */
    public void check(Responder peer) {
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
            sendCq.alert();
        }
    }

    @Override
    public boolean prefetches() {
        return prefetches;
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
    public void close() {
        group.peers().remove(qpn);
        group.change(shared -> {
            GroupContext.removeQueue(shared, group.context(), block.address());
            return true;
        }, "leaving");
        Quarantine.free(block, List.of(quarantine));
    }

    /** Returns true when a process that lives was in the middle of a run when it lost the claim. */
    public boolean wasTakenOver() {
        return group.wasTakenOver();
    }
}
