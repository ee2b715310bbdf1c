package org.jvrpc.watch.fabric.mesh;

import java.util.Objects;
import org.jvrpc.watch.agent.AgentSettings;

/**
 * A fabric and how it is probed. Times are scaled: a window of 30 s with pauses of 50 to 200 ms is too long to simulate
 * with a load, so a window is some milliseconds, and what is given as a share of a window stays that share.
 *
 * @param podsets four or more, else a spine has two links, and what crosses one crosses the other
 * @param leaves of a podset, as {@code tors}
 * @param spines of all, a multiple of {@code leaves}
 * @param streams of background, each at 30 % of a host's link, in bursts of 64 KiB
 * @param agent of the agent at each host
 */
public record MeshSettings(int podsets, int leaves, int tors, int hostsPerTor, int spines, int streams,
        AgentSettings agent) {

    private static final long MILLISECOND_NS = 1_000_000;
    private static final int SMALL = 64;
    /** Of each agent, in a window. */
    private static final int PROBES = 150;

    /** Checks them. */
    public MeshSettings {
        Objects.requireNonNull(agent, "agent");
    }

    /** Returns a fabric of 64 hosts or of 1,000, with background. */
    public static MeshSettings of(int hosts) {
        if (hosts == SMALL) {
            return new MeshSettings(4, 2, 2, 8, 4, 4, agent(3 * MILLISECOND_NS, MILLISECOND_NS / 2));
        }
        int perTor = hosts / 20;
        if (perTor < 2 || hosts % 20 != 0) {
            throw new IllegalArgumentException("hosts=" + hosts + ": 64, or a multiple of 20 from 40 on");
        }
        return new MeshSettings(4, 4, 5, perTor, 16, Math.max(2, hosts * 3 / 100),
                agent(10 * MILLISECOND_NS, MILLISECOND_NS));
    }

    /**
     * Returns how agents probe here: by three sizes and two service levels, equally often. A window has about as many
     * probes as there are targets, so each has one flow at a time: black holes are told from chance by flows that are
     * met more than once.
     */
    private static AgentSettings agent(long windowNs, long timeoutNs) {
        return AgentSettings.defaults().withRate(PROBES * 1e9 / windowNs, windowNs).withTimeoutNs(timeoutNs)
                .withSettleNs(0).withFlows(1, windowNs).withServiceLevels(0, GreyFailure.LOSSLESS)
                .withSizes(64, AgentSettings.MIDDLE_BYTES, AgentSettings.LONG_BYTES);
    }

    int hosts() {
        return podsets * tors * hostsPerTor;
    }

    long windowNs() {
        return agent.windowNs();
    }
}
