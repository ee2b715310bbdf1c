package org.jvrpc.watch.collect;

/**
 * How a collector works.
 *
 * @param title of its page
 * @param windowNs length of a window, as all agents have it
 * @param keptWindows of racks and hosts in memory: 2,880 of 30 s are a day
 * @param lossLimit share of probes lost that raises an alert
 * @param p99LimitNs time on the network that raises an alert; 0: none does
 * @param agentVersion of probes; agents of others are named
 */
public record CollectorSettings(String title, long windowNs, int keptWindows, double lossLimit, long p99LimitNs,
        int agentVersion) {

    private static final long THIRTY_SECONDS_NS = 30_000_000_000L;
    private static final int DAY = 2_880;
    private static final int MOST_KEPT = 100_000;
    private static final double LOSS = 0.02;

    /** @throws IllegalArgumentException when one is out of range: says which */
    public CollectorSettings {
        if (windowNs < 1_000_000 || keptWindows < 2 || keptWindows > MOST_KEPT || !(lossLimit > 0 && lossLimit <= 1)
                || p99LimitNs < 0) {
            throw new IllegalArgumentException("windowNs=" + windowNs + " least=1000000, keptWindows=" + keptWindows
                    + " of 2 to " + MOST_KEPT + ", lossLimit=" + lossLimit + " of 0 to 1, p99LimitNs=" + p99LimitNs);
        }
    }

    /** Returns windows of 30 s, a day of them, 2 % loss, no limit of times. */
    public static CollectorSettings defaults(int agentVersion) {
        return new CollectorSettings("jvRPC pingmesh", THIRTY_SECONDS_NS, DAY, LOSS, 0, agentVersion);
    }

    /** Sets the length of a window. */
    public CollectorSettings withWindowNs(long value) {
        return new CollectorSettings(title, value, keptWindows, lossLimit, p99LimitNs, agentVersion);
    }

    public CollectorSettings withLimits(double loss, long p99Ns) {
        return new CollectorSettings(title, windowNs, keptWindows, loss, p99Ns, agentVersion);
    }

    int windowsOfHour() {
        return (int) Math.max(1, Math.min(keptWindows, 3_600_000_000_000L / windowNs));
    }
}
