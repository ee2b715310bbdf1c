package org.jvrpc.runtime.verbs;

import org.jvrpc.runtime.session.Body;

/** Waits for what a link sends, for threads that serve nobody else. The thread that uses the link. */
final class LinkWaits {

    /** How often an unfinished send is looked for before the clock is; a power of two. */
    private static final int SPINS_PER_LOOK = 1 << 10;
    /** How much longer a long READ may take than a short send: 10 MB/s, which an emulated device reaches. */
    private static final long NS_PER_BYTE = 100;

    private LinkWaits() {
    }

    /** Waits until a signalled send, and all before it, are complete; false when the link is broken. */
    static boolean awaitSent(VerbsLink link, long number, long limitNs) {
        long startNs = 0;
        for (int spins = 0; !link.isSent(number) && link.failure() == null; spins++) {
            link.catchUp();
            if ((spins & SPINS_PER_LOOK - 1) == SPINS_PER_LOOK - 1) {
                long nowNs = link.clock().nanoTime();
                startNs = startNs == 0 ? nowNs : startNs;
                if (nowNs - startNs > limitNs) {
                    return link.fail("a send did not complete within ms=" + limitNs / 1_000_000);
                }
                Thread.yield(); // others may have to work for it, where processors are few
            }
            Thread.onSpinWait();
        }
        return link.failure() == null;
    }

    /** Reads the peer's memory into a body; false when the link is broken or the peer's key refuses. */
    static boolean read(VerbsLink link, Body body, int offset, int length, long remoteAddress, int rkey) {
        long startNs = link.clock().nanoTime();
        long number = link.beginFetch(body, offset, length, remoteAddress, rkey);
        while (number == 0 && link.failure() == null) {
            if (link.clock().nanoTime() - startNs > link.patienceNs()) {
                return link.fail("send queue is full");
            }
            Thread.onSpinWait();
            link.catchUp();
            number = link.beginFetch(body, offset, length, remoteAddress, rkey);
        }
        return link.failure() == null && awaitSent(link, number, readLimitNs(link, length));
    }

    /** Returns how long a READ may take before the link is given up, in nanoseconds. */
    static long readLimitNs(VerbsLink link, int length) {
        return link.patienceNs() + length * NS_PER_BYTE;
    }
}
