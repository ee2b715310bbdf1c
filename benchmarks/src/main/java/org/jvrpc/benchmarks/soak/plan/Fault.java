package org.jvrpc.benchmarks.soak.plan;

/**
 * Something bad that happens once.
 *
 * @param number by which a campaign is told to keep it
 * @param round in which it happens
 * @param atMs after the start of the round's load
 * @param target the name of a process, or - for the host
 * @param lengthMs how long it lasts; 0 for what is done at once
 */
public record Fault(int number, int round, long atMs, Kind kind, String target, long lengthMs) {

    /** What may happen. */
    public enum Kind {
        /** The process dies by SIGKILL, and is started again. */
        KILL(15),
        /** The process is stopped by SIGSTOP and goes on later. */
        STOP(35),
        /** A client closes its connections in order, with calls under way, and connects anew. */
        CLOSE(14),
        /** A server takes no more calls, ends those it has, and starts anew in the same process. */
        DRAIN(12),
        /** A server closes with calls under way, and starts anew in the same process. */
        SHUT(6),
        /** The threads that call are interrupted. */
        INTERRUPT(12),
        /** Shared memory is full. */
        FULL(6);

        /** How often it happens, over the sum of all. */
        final int weight;

        Kind(int weight) {
            this.weight = weight;
        }
    }

    @Override
    public String toString() {
        return "#" + number + " round " + round + " +" + atMs + " ms " + kind + ' ' + target
                + (lengthMs == 0 ? "" : " for " + lengthMs + " ms");
    }
}
