package org.jvrpc.router.control;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A map that a view refuses, as it is older than what is known, until an operator wants it to be gone by: an ensemble
 * or a file was restored from a backup. Any thread.
 */
public final class OlderMap {

    private String refused;
    private boolean wanted;
    private Accepted accepted;

    /**
     * What an operator has had gone by.
     *
     * @param before epoch of what was known
     * @param now epoch of the older map
     */
    public record Accepted(long before, long now) { }

    /** An older map was read: returns true when it is to be gone by. @param why what of it is older */
    public synchronized boolean isWanted(String why) {
        refused = why;
        return wanted;
    }

    /** Something was taken over: an older map, if one was wanted, or what is not older. */
    public synchronized void taken(long before, long now) {
        accepted = wanted && refused != null ? new Accepted(before, now) : null;
        refused = null;
        wanted = false;
        notifyAll();
    }

    /** Has the map that was refused gone by the next time it is read. @throws IOException when none is */
    public synchronized void want(long epoch) throws IOException {
        if (refused == null) {
            throw new IOException("no older map is refused, known is epoch=" + epoch);
        }
        wanted = true;
        accepted = null;
    }

    /** Waits until it is gone by. @throws IOException when that does not come about in time: it is not wanted then */
    public synchronized Accepted await(long patienceMs) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        for (long leftNs = endNs - System.nanoTime(); wanted && leftNs > 0; leftNs = endNs - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        }
        wanted = false;
        if (accepted == null) {
            throw new IOException("the older map was not read within ms=" + patienceMs);
        }
        return accepted;
    }
}
