package org.jvrpc.watch.fabric.mesh;

/**
 * A fabric and how it is probed. Times are scaled: a window of 30 s with pauses of 50 to 200 ms is too long to simulate
 * with a load, so a window is some milliseconds, and what is given as a share of a window stays that share.
 *
 * @param podsets four or more, else a spine has two links, and what crosses one crosses the other
 * @param leaves of a podset, as {@code tors}
 * @param spines of all, a multiple of {@code leaves}
 * @param targets whom each host probes in a window, each with three sizes
 * @param windowNs length of a window
 * @param timeoutNs after which a probe is lost
 * @param streams of background, each at 30 % of a host's link, in bursts of 64 KiB
 */
public record MeshSettings(int podsets, int leaves, int tors, int hostsPerTor, int spines, int targets, long windowNs,
        long timeoutNs, int streams) {

    private static final long MILLISECOND_NS = 1_000_000;
    private static final int SMALL = 64;

    /** Returns a fabric of 64 hosts or of 1,000, with background. */
    public static MeshSettings of(int hosts) {
        if (hosts == SMALL) {
            return new MeshSettings(4, 2, 2, 8, 4, 50, 3 * MILLISECOND_NS, MILLISECOND_NS / 2, 4);
        }
        int perTor = hosts / 20;
        if (perTor < 2 || hosts % 20 != 0) {
            throw new IllegalArgumentException("hosts=" + hosts + ": 64, or a multiple of 20 from 40 on");
        }
        return new MeshSettings(4, 4, 5, perTor, 16, 50, 10 * MILLISECOND_NS, MILLISECOND_NS,
                Math.max(2, hosts * 3 / 100));
    }

    int hosts() {
        return podsets * tors * hostsPerTor;
    }
}
