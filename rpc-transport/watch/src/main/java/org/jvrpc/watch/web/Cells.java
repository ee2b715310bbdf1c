package org.jvrpc.watch.web;

/**
 * The byte of a pair in a matrix:
 * <pre>
 *   7   6 5 4 3 2 1 0
 * +---+---------------+
 * |old|    value      |   old: not of the window that is shown, the last one known
 * +---+---------------+
 * value, times: 0 not known | 1..126: 2^((value - 1) / 8) x 512 ns, that is 512 ns to 25.9 ms | 127 nothing came back
 * value, loss:  0 not known | 1 none | 2..126: 10^(-4 x (126 - value) / 124), that is 0.01 % to 100 % | 127 all
 * </pre>
 * Times are rounded to 9 %: the page fetches exact figures of the pair that one looks at.
 */
public final class Cells {

    /** Not known. */
    public static final byte UNKNOWN = 0;

    /** Nothing came back. */
    public static final byte DEAD = 127;

    static final int OLD = 0x80;
    static final int VALUES = 128;

    private static final int LAST = 126;
    private static final double FIRST_NS = 512;
    private static final double STEPS = 8;
    private static final double LOSS_STEPS = 124;
    private static final double DECADES = 4;
    private static final double[] LIMITS = limits();

    private Cells() {
    }

    private static double[] limits() {
        double[] limits = new double[LAST];
        for (int i = 0; i < limits.length; i++) {
            limits[i] = FIRST_NS * Math.pow(2, (i + 0.5) / STEPS);
        }
        return limits;
    }

    /** Returns the code of a time, at most some 7 comparisons. Times out of range are the nearest that there is. */
    public static byte time(long ns) {
        int low = 0;
        int high = LAST - 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (ns < LIMITS[middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return (byte) (low + 1);
    }

    /** Returns the code of a loss; {@code sent} 0 is not known. */
    public static byte loss(long sent, long lost) {
        if (sent <= 0) {
            return UNKNOWN;
        }
        if (lost <= 0) {
            return 1;
        }
        if (lost >= sent) {
            return DEAD;
        }
        double code = LAST + Math.log10((double) lost / sent) * LOSS_STEPS / DECADES;
        return (byte) Math.max(2, Math.min(LAST, Math.round(code)));
    }

    /** Returns the code of a time, or {@link #DEAD} when all probes were lost; {@code sent} 0 is not known. */
    public static byte time(long sent, long lost, long ns) {
        return sent <= 0 ? UNKNOWN : lost >= sent ? DEAD : time(ns);
    }

    /** Returns a code as one that is not of the window that is shown. What is not known stays so. */
    public static byte old(byte code) {
        return code == UNKNOWN ? code : (byte) (code | OLD);
    }

    /** Returns the time that a code without its mark stands for, in ns; 0: not known; infinity: nothing came back. */
    static double timeNs(int value) {
        return value == 0 ? 0 : value == DEAD ? Double.POSITIVE_INFINITY
                : FIRST_NS * Math.pow(2, (value - 1) / STEPS);
    }

    /** Returns the share that a code without its mark stands for; below 0: not known. */
    static double share(int value) {
        return value == 0 ? -1 : value == 1 ? 0 : value == DEAD ? 1
                : Math.pow(10, -DECADES * (LAST - value) / LOSS_STEPS);
    }
}
