package org.jvrpc.fabric.network;

/**
 * Priority-based flow control. A pause frame says for each of eight priorities for how many quanta of 512 bit times
 * the other end of the link is to send nothing of it; 0 quanta let it send again. Source: IEEE 802.1Qbb, 802.3 annex
 * 31B.
 *
 * <pre>
 * 0 01-80-c2-00-00-01:48 | 6 source:48 | 12 0x8808:16 | 14 0x0101:16 | 16 priorities:16 | 18 8 x quanta:16 | 34 zeros
 * </pre>
 */
public final class Pause {

    /** Priorities of a link. */
    public static final int PRIORITIES = 8;
    /** The longest pause. */
    public static final int MOST_QUANTA = 0xffff;

    private static final int QUANTUM_BITS = 512;
    private static final long NS_A_SECOND = 1_000_000_000;
    /** Frames that may come after a pause was due: the one that made it due, one under way here, one there. */
    private static final int FRAMES_LATE = 3;

    private Pause() {
    }

    /** Returns how long quanta are on a link of a rate, in nanoseconds, rounded up. */
    public static long durationNs(int quanta, long bitsPerSecond) {
        return (quanta * (long) QUANTUM_BITS * NS_A_SECOND + bitsPerSecond - 1) / bitsPerSecond;
    }

    /** Returns the bytes that a rate brings in a time, rounded up. */
    static long bytesIn(long ns, long bitsPerSecond) {
        return (ns * (bitsPerSecond / 1000) / 8 + NS_A_SECOND / 1000 - 1) / (NS_A_SECOND / 1000);
    }

    /**
     * Returns how much may still come in after a pause was found to be due: what is on a cable of this length in both
     * directions, what comes while the other end reacts, and three of the longest frames.
     *
     * @param propagationNs of the cable, 5 ns a metre
     * @param reactionNs of the other end
     * @param frameBytes of the longest frame
     */
    public static int headroomBytes(long bitsPerSecond, long propagationNs, long reactionNs, int frameBytes) {
        long late = bytesIn(2 * propagationNs + reactionNs, bitsPerSecond);
        return (int) (late + FRAMES_LATE * (frameBytes + Frame.GAP_BYTES) + Frame.LEAST_BYTES + Frame.GAP_BYTES);
    }
}
