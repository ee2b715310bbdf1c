package org.jvrpc.ibverbs.core;

/**
 * Tells when polls of a CQ have found nothing for so long that the kernel is to be asked what happened: not each device
 * tells when a QP fails. One thread.
 */
public final class IdleWatch {

    /** After so many polls in a row that found nothing the clock is looked at. */
    private static final int POLLS = 1 << 14;
    private static final long IDLE_NS = 100_000_000;

    private int polls;
    private long sinceNs;

    /** A poll found something. */
    public void found() {
        polls = 0;
        sinceNs = 0;
    }

    /** A poll found nothing. @return true when it is time to ask */
    public boolean foundNothing() {
        if (++polls < POLLS) {
            return false;
        }
        polls = 0;
        long nowNs = System.nanoTime();
        if (sinceNs == 0) {
            sinceNs = nowNs;
            return false;
        }
        boolean over = nowNs - sinceNs >= IDLE_NS;
        sinceNs = over ? nowNs : sinceNs;
        return over;
    }
}
