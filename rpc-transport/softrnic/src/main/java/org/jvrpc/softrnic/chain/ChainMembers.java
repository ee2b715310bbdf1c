package org.jvrpc.softrnic.chain;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The queues and CQs of a group, as its context has their addresses. With the claim of the group. */
final class ChainMembers {

    private final ChainGroup group;
    private final ByteBuffer memory;
    private final int context;
    private CrossChannelQueue[] queues = new CrossChannelQueue[0];
    private ChainCq[] cqs = new ChainCq[0];
    /** What was found last of the numbers that end so. */
    private final CrossChannelQueue[] foundQueues = new CrossChannelQueue[GroupContext.PLACES];
    private final ChainCq[] foundCqs = new ChainCq[GroupContext.PLACES];
    private int version = -1;

    /** @param context where the group's context lies in its memory */
    ChainMembers(ChainGroup group, ByteBuffer memory, int context) {
        this.group = group;
        this.memory = memory;
        this.context = context;
    }

    CrossChannelQueue[] queues() {
        return queues;
    }

    /** Looks who they are, when that has changed. */
    void reload() {
        if (GroupContext.version(memory, context) == version) {
            return;
        }
        version = GroupContext.version(memory, context);
        ChainCq[] allCqs = new ChainCq[GroupContext.PLACES];
        CrossChannelQueue[] allQueues = new CrossChannelQueue[GroupContext.PLACES];
        int cqCount = 0;
        int queueCount = 0;
        for (int place = 0; place < GroupContext.PLACES; place++) {
            long cq = GroupContext.cq(memory, context, place);
            if (cq != 0) {
                allCqs[cqCount++] = new ChainCq(group.space(), cq);
            }
            long queue = GroupContext.queue(memory, context, place);
            if (queue != 0) {
                CrossChannelQueue known = known(queue);
                allQueues[queueCount++] = known != null ? known : new CrossChannelQueue(group, queue);
            }
        }
        cqs = Arrays.copyOf(allCqs, cqCount);
        queues = Arrays.copyOf(allQueues, queueCount);
        Arrays.fill(foundCqs, null);
        Arrays.fill(foundQueues, null);
    }

    private CrossChannelQueue known(long queue) {
        for (CrossChannelQueue known : queues) {
            if (known.is(queue)) {
                return known;
            }
        }
        return null;
    }

    /** Returns the queue of a QP, or null. */
    CrossChannelQueue queue(int qpn) {
        CrossChannelQueue found = foundQueues[qpn & GroupContext.PLACES - 1];
        return found != null && found.qpn() == qpn ? found : findQueue(qpn);
    }

    private CrossChannelQueue findQueue(int qpn) {
        for (CrossChannelQueue queue : queues) {
            if (queue.qpn() == qpn) {
                foundQueues[qpn & GroupContext.PLACES - 1] = queue;
                return queue;
            }
        }
        return null;
    }

    /** Returns a CQ of the group, or null. */
    ChainCq cq(int cqn) {
        ChainCq found = foundCqs[cqn & GroupContext.PLACES - 1];
        return found != null && found.cqn() == cqn ? found : findCq(cqn);
    }

    private ChainCq findCq(int cqn) {
        for (ChainCq cq : cqs) {
            if (cq.cqn() == cqn) {
                foundCqs[cqn & GroupContext.PLACES - 1] = cq;
                return cq;
            }
        }
        return null;
    }

    /** Has a queue look for its peer anew, before it touches it again. */
    void forgetPeer(int qpn) {
        for (CrossChannelQueue queue : queues) {
            if (queue.qpn() == qpn) {
                queue.forgetPeer();
            }
        }
    }
}
