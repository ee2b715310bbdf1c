package org.jvrpc.watch.rperf;

import org.jvrpc.watch.StampSource;

/**
 * What was measured.
 *
 * @param name whose: of a pair of devices, of a flow
 * @param stamps who reads the clock at completions
 * @param notSubtracted why {@link #rtt} is T<sub>W</sub> - T<sub>P</sub>, end-points included; null when it is
 *     T<sub>W</sub> - T<sub>L</sub>
 * @param seconds of measuring
 * @param pairs that completed, or messages where there is no loopback
 * @param zeroOrLess samples that {@link #rtt} leaves out
 * @param meanOfAllNs of the samples with those
 * @param missed messages that were due and could not be sent, as all places were taken
 * @param unfinished messages that did not complete in time
 * @param trouble what ended it early, or null
 * @param rtt what is asked for
 * @param wire T<sub>W</sub> - T<sub>P</sub>: what a tool without loopback would say
 * @param loopback T<sub>L</sub> - T<sub>P</sub>: what the end-point adds
 * @param loopbackFirstP50Ns median T<sub>W</sub> - T<sub>L</sub> of pairs whose loopback was posted first
 * @param wireFirstP50Ns of the others
 * @param secondWaitsNs for the first, half of their difference: it is taken out of each sample of {@link #rtt}
 * @param loopbackBitsNs of {@link org.jvrpc.watch.PairPort#loopbackBitsNs}: it is added to each sample of {@link #rtt},
 *     which is the time from the first bit out to the acknowledgement in then; NaN: unknown, and nothing is added
 * @param distribution of {@link #rtt}
 */
public record RperfResult(
        String name,
        LoadPattern pattern,
        StampSource stamps,
        String notSubtracted,
        double seconds,
        long pairs,
        long zeroOrLess,
        double meanOfAllNs,
        long missed,
        long unfinished,
        String trouble,
        Figures rtt,
        Figures wire,
        Figures loopback,
        long loopbackFirstP50Ns,
        long wireFirstP50Ns,
        long secondWaitsNs,
        double loopbackBitsNs,
        Distribution distribution) {

    private static final double BITS = 8e-9;

    public boolean isSubtracted() {
        return notSubtracted == null;
    }

    /** Returns pairs, or messages, a second. */
    public double rate() {
        return seconds > 0 ? pairs / seconds : 0;
    }

    /** Returns what went over the wire, in Gb/s of messages, without headers. */
    public double gbps() {
        return rate() * pattern.bytes() * BITS;
    }

    /** Returns the same under another name. */
    public RperfResult named(String newName) {
        return new RperfResult(newName, pattern, stamps, notSubtracted, seconds, pairs, zeroOrLess, meanOfAllNs,
                missed, unfinished, trouble, rtt, wire, loopback, loopbackFirstP50Ns, wireFirstP50Ns,
                secondWaitsNs, loopbackBitsNs, distribution);
    }
}
