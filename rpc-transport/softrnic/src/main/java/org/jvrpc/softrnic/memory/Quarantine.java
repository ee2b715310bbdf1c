package org.jvrpc.softrnic.memory;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashSet;

/**
 * Keeps memory of one protection domain that was given back from being used again while a peer could still write to it.
 * An initiator works in its own thread on mapped pages: it may have looked at a key before the key went, and write
 * after. So memory waits until each visit that was going on when it was given back has ended, which is when the
 * initiator said that it is closed, or its process is dead. Any thread.
 */
public final class Quarantine {

    /**
     * The most bytes that wait. What is beyond that, because a peer stays for long, is never used again; its memory
     * goes with the mappings, when the garbage collector finds these.
     */
    private static final long LIMIT = 32L << 20;

    private final LinkedHashSet<Visit> visits = new LinkedHashSet<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long clock;
    private long waitingBytes;
    private int leaving;
    /** Blocks not younger than this may be known to a peer of which nobody knows whether it has ended. */
    private long taintedBirth;

    /** A QP of the domain, from which on and until when a peer may write to what the domain has. */
    public final class Visit {

        private final long since;
        private boolean isLeaving;

        private Visit(long since) {
            this.since = since;
        }

        /** The QP is being closed here; its peer may not know yet. */
        public void beginLeaving() {
            synchronized (Quarantine.this) {
                isLeaving = true;
                leaving++;
            }
        }

        /**
         * The peer writes no more.
         *
         * @param certain false when that cannot be known: then what the domain has now is never used again
         */
        public void end(boolean certain) {
            Quarantine.this.end(this, certain);
        }
    }

    private record Waiting(Arena.Block block, long since) {
    }

    public synchronized Visit begin() {
        Visit visit = new Visit(++clock);
        visits.add(visit);
        return visit;
    }

    private synchronized void end(Visit visit, boolean certain) {
        if (!visits.remove(visit)) {
            return;
        }
        leaving -= visit.isLeaving ? 1 : 0;
        if (!certain) {
            taintedBirth = Arena.lastBirth();
        }
        long oldest = visits.isEmpty() ? Long.MAX_VALUE : visits.iterator().next().since;
        while (!waiting.isEmpty() && waiting.peek().since < oldest) {
            settleFirst(true);
        }
    }

    private void settleFirst(boolean clean) {
        Arena.Block block = waiting.poll().block;
        waitingBytes -= block.length();
        block.settle(clean && block.birth() > taintedBirth);
    }

    /** Returns true when the peer of a QP that is closed may not know that yet, and may know a block. */
    public synchronized boolean isNeeded(Arena.Block block) {
        return leaving > 0 || block.birth() <= taintedBirth;
    }

    private synchronized void hold(Arena.Block block) {
        if (visits.isEmpty()) {
            block.settle(block.birth() > taintedBirth);
        } else {
            waiting.add(new Waiting(block, clock));
            waitingBytes += block.length();
            while (waitingBytes > LIMIT) {
                settleFirst(false);
            }
        }
    }

    /** Gives memory back that peers of several domains may know. */
    public static void free(Arena.Block block, Collection<Quarantine> known) {
        if (block.retire(known.size())) {
            known.forEach(quarantine -> quarantine.hold(block));
        }
    }
}
