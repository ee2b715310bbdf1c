package org.jvrpc.runtime.guard;

import java.util.concurrent.locks.LockSupport;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that looks now and then who is not welcome any more. Begins when there is somebody to look at. */
final class Rounds implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);
    private static final long LONGEST_NS = 1_000_000_000;
    /** Looks in the bound, of which each second one asks. */
    private static final int LOOKS = 4;

    private final Guard guard;
    private final Environment environment;
    private final Clock clock;
    private final String name;
    private final long askNs;
    private final long pauseNs;
    private Thread thread;
    private volatile boolean ended;

    /** @param boundNs how long somebody may stay at most who is not welcome any more */
    Rounds(Guard guard, Environment environment, String name, long boundNs) {
        this.guard = guard;
        this.environment = environment;
        this.clock = environment.clock();
        this.name = name;
        this.askNs = boundNs / 2;
        this.pauseNs = Math.min(LONGEST_NS, boundNs / LOOKS);
    }

    synchronized void begin() {
        if (thread == null && !ended) {
            thread = environment.threads().make(this, name);
            thread.start();
        }
    }

    synchronized void end() {
        ended = true;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void run() {
        long askedNs = clock.nanoTime();
        while (!ended) {
            clock.parkNanos(this, pauseNs);
            long nowNs = clock.nanoTime();
            boolean asks = nowNs - askedNs >= askNs;
            askedNs = asks ? nowNs : askedNs;
            try {
                guard.round(asks);
            } catch (Throwable t) { // the next one may be better
                LOG.warn("{}: {}", name, t.toString());
            }
        }
    }
}
