package org.jvrpc.tcp.link;

/**
 * Finds out that a peer has vanished without a word, which a stream with nothing under way would never tell: one from
 * which nothing came for a while is asked for a sign of life. The link's thread.
 */
final class LifeSigns {

    private final long idleNs;
    private long reads;
    private long heardNs;
    private boolean asked;

    /** @param idleNs after which a sign is asked for, and in which it is to come */
    LifeSigns(long idleNs, long reads, long nowNs) {
        this.idleNs = idleNs;
        this.reads = reads;
        this.heardNs = nowNs;
    }

    /** What is to be done. */
    enum Due {
        NOTHING,
        /** Nothing came between this look and the last one. */
        REST,
        PING,
        FAIL
    }

    /** @param now what changes when something comes */
    Due look(long now, long nowNs) {
        if (now != reads) {
            reads = now;
            heardNs = nowNs;
            asked = false;
            return Due.NOTHING;
        }
        if (nowNs - heardNs > idleNs) {
            if (asked) {
                return Due.FAIL;
            }
            asked = true;
            heardNs = nowNs; // a thread of the peer has to run for an answer, which may take long where all are busy
            return Due.PING;
        }
        return Due.REST;
    }
}
