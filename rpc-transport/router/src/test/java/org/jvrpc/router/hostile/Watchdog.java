package org.jvrpc.router.hostile;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Has two neighbours call each other each 10 ms, and tells for which call they waited longer than this machine
 * explains, see {@link RunDelays}; also what the router did then.
 */
final class Watchdog implements Runnable {

    private static final long EACH_NS = 10_000_000;

    private final Neighbours neighbours;
    private final BooleanSupplier over;
    private final long stallNs;
    private final Thread looker = new Thread(this::look, "looker");
    private RunDelays delays;
    private volatile long begunNs;
    volatile int calls;
    volatile int stalls;
    volatile long longestNs;
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
        looker.start();
        try {
            delays = new RunDelays("jvrpc-router", "watchdog");
            while (!over.getAsBoolean()) {
                call();
                LockSupport.parkNanos(EACH_NS);
            }
        } catch (Throwable e) {
            finding = e;
        }
    }

    private void call() throws IOException {
        long delaysNs = delays.sumNs();
        long beginNs = System.nanoTime();
        begunNs = beginNs;
        neighbours.call();
        begunNs = 0;
        long tookNs = System.nanoTime() - beginNs;
        long asideNs = delays.sumNs() - delaysNs;
        calls++;
        longestNs = Math.max(longestNs, tookNs);
        if (tookNs - asideNs > stallNs) {
            stalls++;
            System.err.println("stall: a neighbour's call took ms=" + tookNs / 1_000_000
                    + ", its threads had no processor for ms=" + asideNs / 1_000_000);
        }
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
