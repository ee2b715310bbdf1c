package org.jvrpc.fabric.topology;

/**
 * The cables of a network, all of one rate.
 *
 * @param hostNs delay between a host and its switch: 2 m in SIGCOMM'16
 * @param leafNs between ToR and leaf: 20 m
 * @param spineNs between leaf and spine: 300 m
 */
public record Links(long bitsPerSecond, long hostNs, long leafNs, long spineNs) {

    private static final long FORTY_GIGABIT = 40_000_000_000L;

    /** Returns those of SIGCOMM'16: 40 Gb/s, 2, 20 and 300 m at 5 ns a metre. */
    public static Links defaults() {
        return new Links(FORTY_GIGABIT, 10, 100, 1500);
    }
}
