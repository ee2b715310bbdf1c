package org.jvrpc.router.hostile;

import java.util.concurrent.locks.LockSupport;

/**
 * How long this process stood still as a whole, as one of its threads sees it that has nothing to do but to wake each
 * millisecond. Any thread.
 */
final class Ticker implements Runnable {

    private static final long EACH_NS = 1_000_000;
    /** Less is how threads of a busy machine wake. */
    private static final long LATE_NS = 10_000_000;

    private final Thread thread = new Thread(this, "ticker");
    private long lastNs = System.nanoTime();
    private long sumNs;
    private volatile boolean ends;

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    void end() {
        ends = true;
    }

    @Override
    public void run() {
        while (!ends) {
            LockSupport.parkNanos(EACH_NS);
            tick(System.nanoTime());
        }
    }

    synchronized void tick(long nowNs) {
        sumNs += lateNs(nowNs);
        lastNs = nowNs;
    }

    private long lateNs(long nowNs) {
        long since = nowNs - lastNs;
        return since > LATE_NS ? since : 0;
    }

    /** Returns the sum in nanoseconds, with what is going on. */
    synchronized long sumNs(long nowNs) {
        return sumNs + lateNs(nowNs);
    }
}
