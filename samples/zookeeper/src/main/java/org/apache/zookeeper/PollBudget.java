package org.apache.zookeeper;

import org.apache.zookeeper.ClientCnxn.Packet;
import org.apache.zookeeper.ZooDefs.OpCode;

/**
 * How long a thread polls before it sleeps, or leaves the polling to another: some times what the last answer took, and
 * not at all after answers that did not come in that time, such as those to writes on a slow disk, or while others want
 * the processors; now and then it tries again. Holds no clock. Any thread: who comes in between spoils nothing.
 */
final class PollBudget {

    private static final int CALLS_PER_TRIAL = 48;
    private static final int MARGIN = 4;
    private static final int MISSES = 3;

    private final long mostNs;
    private long ns;
    private int misses;
    private int calls;

    /** @param mostNs the longest time in nanoseconds */
    PollBudget(long mostNs) {
        this.mostNs = mostNs;
        this.ns = mostNs;
    }

    /** Returns true for calls that a server answers without a log. */
    static boolean isRead(Packet p) {
        int type = p.requestHeader == null ? OpCode.error : p.requestHeader.getType();
        return type == OpCode.exists || type == OpCode.getData || type == OpCode.getChildren
                || type == OpCode.getChildren2 || type == OpCode.getACL;
    }

    /** Returns the budget of the next time in nanoseconds; 0 when it isn't worth it. */
    long ns() {
        return misses < MISSES ? ns : ++calls % CALLS_PER_TRIAL == 0 ? mostNs : 0;
    }

    /** Notes how long it took until there was something, -1 when there was nothing in time. */
    void note(long tookNs) {
        if (tookNs < 0) {
            misses++;
        } else {
            misses = 0;
            ns = Math.min(MARGIN * tookNs, mostNs);
        }
    }
}
