package org.jvrpc.runtime.verbs;

/** Waits for what a link sends, for threads that serve nobody else. The thread that uses the link. */
final class LinkWaits {

    /** How often an unfinished send is looked for before the clock is; a power of two. */
    private static final int SPINS_PER_LOOK = 1 << 10;

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
}
