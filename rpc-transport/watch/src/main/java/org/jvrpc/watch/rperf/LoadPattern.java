package org.jvrpc.watch.rperf;

/**
 * When messages are sent.
 *
 * @param bytes of each message, 1 to {@value #MOST_BYTES}
 * @param outstanding messages, or pairs, that may be under way, 1 to {@value #MOST_OUTSTANDING}
 * @param burst begun together, 1 to {@value #MOST_OUTSTANDING}
 * @param periodNs from the beginning of a burst to that of the next; 0: each as soon as there is room
 * @param onNs of activity, then {@code offNs} of none; both 0: always active
 * @param offNs see {@code onNs}
 */
public record LoadPattern(int bytes, int outstanding, int burst, double periodNs, long onNs, long offNs) {

    public static final int MOST_BYTES = 1 << 20;
    public static final int MOST_OUTSTANDING = 4096;
    /** Messages a second. */
    public static final double MOST_RATE = 1e8;
    /** An hour: of periods and of activity. */
    public static final long LONGEST_NS = 3_600_000_000_000L;

    private static final double NS_PER_S = 1e9;

    /** Checks the values. @throws IllegalArgumentException with the one that is out of range */
    public LoadPattern {
        check("bytes", bytes, 1, MOST_BYTES);
        check("outstanding", outstanding, 1, MOST_OUTSTANDING);
        check("burst", burst, 1, MOST_OUTSTANDING);
        check("onNs", onNs, 0, LONGEST_NS);
        check("offNs", offNs, 0, LONGEST_NS);
        if (!(periodNs >= 0 && periodNs <= LONGEST_NS)) {
            throw new IllegalArgumentException("periodNs must be 0 to " + LONGEST_NS + ", periodNs=" + periodNs);
        }
        if (onNs == 0 != (offNs == 0)) {
            throw new IllegalArgumentException("on and off go together, onNs=" + onNs + " offNs=" + offNs);
        }
    }

    private static void check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be " + least + " to " + most + ", " + name + "=" + value);
        }
    }

    /** One at a time, as fast as they complete. */
    public static LoadPattern ofBytes(int bytes) {
        return new LoadPattern(bytes, 1, 1, 0, 0, 0);
    }

    public LoadPattern withBytes(int newBytes) {
        return new LoadPattern(newBytes, outstanding, burst, periodNs, onNs, offNs);
    }

    public LoadPattern withOutstanding(int most) {
        return new LoadPattern(bytes, most, burst, periodNs, onNs, offNs);
    }

    /** @param perSecond messages, also those of bursts; 0: as fast as they complete */
    public LoadPattern withRate(double perSecond) {
        if (!(perSecond >= 0 && perSecond <= MOST_RATE)) {
            throw new IllegalArgumentException("rate must be 0 to " + (long) MOST_RATE + ", rate=" + perSecond);
        }
        return new LoadPattern(bytes, outstanding, burst, perSecond == 0 ? 0 : burst * NS_PER_S / perSecond, onNs,
                offNs);
    }

    /** So many together, each {@code newPeriodNs}. */
    public LoadPattern withBursts(int messages, double newPeriodNs) {
        return new LoadPattern(bytes, Math.max(outstanding, Math.min(messages, MOST_OUTSTANDING)), messages,
                newPeriodNs, onNs, offNs);
    }

    public LoadPattern withOnOff(long newOnNs, long newOffNs) {
        return new LoadPattern(bytes, outstanding, burst, periodNs, newOnNs, newOffNs);
    }

    /** Returns messages a second while it is active; 0: as fast as they complete. */
    public double rate() {
        return periodNs == 0 ? 0 : burst * NS_PER_S / periodNs;
    }
}
