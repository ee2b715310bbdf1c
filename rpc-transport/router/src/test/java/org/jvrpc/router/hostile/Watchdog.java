package org.jvrpc.router.hostile;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Has two neighbours call each other each 10 ms, and tells for which call they waited longer than this machine
 * explains: threads that the call takes had no processor, see {@link RunDelays}, or nothing of this process ran, see
 * {@link Ticker}. Also what the router did then.
 */
final class Watchdog implements Runnable {

    private static final long EACH_NS = 10_000_000;
    /** Of waits that the machine explains, the first ones are told of. */
    private static final int TOLD = 20;
    /** Who has a part in a call. */
    private static final String[] PARTIES = {"jvrpc-router-wo", "jvrpc-router-se", "watchdog"};

    private final Neighbours neighbours;
    private final BooleanSupplier over;
    private final long stallNs;
    private final Thread looker = new Thread(this::look, "looker");
    private final Ticker ticker = new Ticker();
    private RunDelays delays;
    private volatile long begunNs;
    volatile int calls;
    /** Calls that took too long and that the machine does not explain. */
    volatile int stalls;
    /** Calls that took too long, and whose threads had no processor. */
    volatile int starved;
    /** Calls that took too long, while nothing of this process ran. */
    volatile int stoodStill;
    volatile long longestNs;
    /** The longest call, without the time that its threads had no processor. */
    volatile long longestRunNs;
    /** What the neighbours found: bytes of a stranger's, a status that is none of theirs. */
    volatile Throwable finding;

    /** @param stallNs what a call may take beyond what the machine explains */
    Watchdog(Neighbours neighbours, long stallNs, BooleanSupplier over) {
        this.stallNs = stallNs;
        this.neighbours = neighbours;
        this.over = over;
        looker.setDaemon(true);
    }

    @Override
    public void run() {
        try {
            delays = new RunDelays(PARTIES); // before others are started, which bear this thread's name at first
            if (delays.threads() < PARTIES.length) {
                throw new IllegalStateException("threads that a call takes=" + delays.threads());
            }
            looker.start();
            ticker.start();
            while (!over.getAsBoolean()) {
                call();
                LockSupport.parkNanos(EACH_NS);
            }
        } catch (Throwable e) {
            finding = e;
        } finally {
            ticker.end();
        }
    }

    private void call() throws IOException {
        long delaysNs = delays.sumNs();
        long beginNs = System.nanoTime();
        long lateNs = ticker.sumNs(beginNs);
        begunNs = beginNs;
        neighbours.call();
        begunNs = 0;
        long endNs = System.nanoTime();
        took(endNs - beginNs, delays.sumNs() - delaysNs, ticker.sumNs(endNs) - lateNs);
    }

    /**
     * Judges a call.
     *
     * @param delayNs how long its threads could run and had no processor
     * @param lateNs how long nothing of this process ran
     */
    void took(long tookNs, long delayNs, long lateNs) {
        calls++;
        longestNs = Math.max(longestNs, tookNs);
        longestRunNs = Math.max(longestRunNs, tookNs - delayNs);
        if (tookNs <= stallNs) {
            return;
        }
        boolean isStall = false;
        if (tookNs - delayNs <= stallNs) {
            starved++;
        } else if (tookNs - lateNs <= stallNs) {
            stoodStill++;
        } else {
            stalls++;
            isStall = true;
        }
        if (isStall || starved + stoodStill <= TOLD) {
            System.err.println((isStall ? "stall" : "no stall") + ": a neighbour's call took ms=" + tookNs / 1_000_000
                    + ", its threads had no processor for ms=" + delayNs / 1_000_000
                    + ", nothing ran for ms=" + lateNs / 1_000_000);
        }
    }

    @Override
    public String toString() {
        return "calls=" + calls + " longest call us=" + longestNs / 1_000 + ", with a processor us="
                + longestRunNs / 1_000 + " calls beyond ms=" + stallNs / 1_000_000 + ": the router's=" + stalls
                + " without a processor=" + starved + " while nothing ran=" + stoodStill;
    }

    private void look() {
        while (!over.getAsBoolean()) {
            long sinceNs = begunNs;
            if (sinceNs != 0 && System.nanoTime() - sinceNs > 2 * stallNs) {
                begunNs = 0;
                tellWhatTheRouterDoes();
            }
            LockSupport.parkNanos(EACH_NS);
        }
    }

    private static void tellWhatTheRouterDoes() {
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().startsWith("jvrpc-router")) {
                System.err.println("  " + thread.getName() + " " + thread.getState() + " "
                        + Arrays.stream(stack).limit(12).map(StackTraceElement::toString)
                                .collect(Collectors.joining("\n      ")));
            }
        });
    }
}
