package org.apache.zookeeper;

import org.apache.zookeeper.ClientCnxn.Packet;
import org.apache.zookeeper.ZooDefs.OpCode;

/**
 * How long a caller polls for its answer before it leaves that to the SendThread: some times what the last answer took,
 * and not at all after answers that did not come in that time, such as those to writes on a slow disk, or while others
 * want the processors; now and then it tries again, long enough for a server that has to be woken. Holds no clock. Any
 * thread: who comes in between spoils nothing.
 */
final class CallerBudget {

    private static final int CALLS_PER_TRIAL = 16;
    private static final int MARGIN = 4;
    private static final int MISSES = 3;

    private final long mostNs;
    private long ns;
    private int misses;
    private int calls;

    /** @param usualNs what it takes as a rule, at most */
    CallerBudget(long usualNs) {
        this.mostNs = MARGIN * usualNs;
        this.ns = mostNs;
    }

    /** Returns true for calls that a server answers without a log. */
    static boolean isRead(Packet p) {
        int type = p.requestHeader == null ? OpCode.error : p.requestHeader.getType();
        return type == OpCode.exists || type == OpCode.getData || type == OpCode.getChildren
                || type == OpCode.getChildren2 || type == OpCode.getACL;
    }

    /** Returns the budget of the next call in nanoseconds; 0 when it isn't worth it. */
    long ns() {
        return misses < MISSES ? ns : ++calls % CALLS_PER_TRIAL == 0 ? mostNs : 0;
    }

    /** Notes how long an answer took, -1 when it did not come. */
    void note(long tookNs) {
        if (tookNs < 0) {
            misses++;
        } else {
            misses = 0;
            ns = Math.min(MARGIN * tookNs, mostNs);
        }
    }
}
