package org.jvrpc.watch.agent;

import java.util.Arrays;
import org.jvrpc.watch.probe.ProbeLayout;
import org.jvrpc.watch.report.ReportLayout;

/** How an agent probes. Immutable; {@code with…} makes changed copies. Any thread. */
public final class AgentSettings {

    /** Bytes of a probe of the middle size. */
    public static final int MIDDLE_BYTES = 512;
    /** Bytes of a long probe, which makes a frame of more than 1 KB. */
    public static final int LONG_BYTES = 1400;

    private static final AgentSettings DEFAULTS = new AgentSettings();

    private double perSecond = 5;
    private long timeoutNs = 500_000_000;
    private long windowNs = 30_000_000_000L;
    private long settleNs = 2_000_000_000;
    private double sameRackShare = 0.2;
    private int flowsPerTarget = 64;
    private long flowChangeNs = 3_600_000_000_000L;
    private int[] sizes = {MIDDLE_BYTES, ProbeLayout.BYTES, MIDDLE_BYTES, LONG_BYTES};
    private int[] serviceLevels = {0};
    private double cpuLimit = 0.02;

    private AgentSettings() {
    }

    private AgentSettings(AgentSettings from) {
        perSecond = from.perSecond;
        timeoutNs = from.timeoutNs;
        windowNs = from.windowNs;
        settleNs = from.settleNs;
        sameRackShare = from.sameRackShare;
        flowsPerTarget = from.flowsPerTarget;
        flowChangeNs = from.flowChangeNs;
        sizes = from.sizes;
        serviceLevels = from.serviceLevels;
        cpuLimit = from.cpuLimit;
    }

    /**
     * Returns 5 probes a second, half of them of 512 bytes, the others of 64 and 1,400; a fifth of them stays in the
     * rack; windows of 30 s; an answer counts as lost after 0.5 s.
     */
    public static AgentSettings defaults() {
        return DEFAULTS;
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private AgentSettings checked() {
        expect(perSecond * windowNs / 1e9 <= ReportLayout.MOST_TALLIES, "a window has at most "
                + ReportLayout.MOST_TALLIES + " probes: rate=" + perSecond + " a second, window=" + windowNs / 1e9
                + " s");
        return this;
    }

    /** Sets the rate, 0.01 to 1,000,000 probes a second, and the length of a window, 1 ms to 10 minutes. */
    public AgentSettings withRate(double probesPerSecond, long ofWindowNs) {
        expect(probesPerSecond >= 0.01 && probesPerSecond <= 1_000_000,
                "rate must be 0.01 to 1000000 probes a second, rate=" + probesPerSecond);
        expect(ofWindowNs >= 1_000_000 && ofWindowNs <= 600_000_000_000L, "window must be 1 ms to 10 min, windowNs="
                + ofWindowNs);
        AgentSettings with = new AgentSettings(this);
        with.perSecond = probesPerSecond;
        with.windowNs = ofWindowNs;
        return with.checked();
    }

    /** Sets how long an answer may take, 1 us to 10 s, before another probe is sent to learn where it was lost. */
    public AgentSettings withTimeoutNs(long limitNs) {
        expect(limitNs >= 1_000 && limitNs <= 10_000_000_000L, "timeout must be 1 us to 10 s, timeoutNs=" + limitNs);
        AgentSettings with = new AgentSettings(this);
        with.timeoutNs = limitNs;
        return with;
    }

    /** Sets how long nobody is probed at first, until all others know this agent. */
    public AgentSettings withSettleNs(long firstNs) {
        expect(firstNs >= 0, "settleNs=" + firstNs);
        AgentSettings with = new AgentSettings(this);
        with.settleNs = firstNs;
        return with;
    }

    /** Sets which share of the probes, 0 to 1, stays in the rack, where there are other racks. */
    public AgentSettings withSameRackShare(double share) {
        expect(share >= 0 && share <= 1, "share must be 0 to 1, share=" + share);
        AgentSettings with = new AgentSettings(this);
        with.sameRackShare = share;
        return with;
    }

    /** Sets how many flows a target is probed by, 1 to 65,536, and the time after which a fifth of them is another. */
    public AgentSettings withFlows(int perTarget, long changeNs) {
        expect(perTarget >= 1 && perTarget <= 1 << 16 && changeNs >= 1, "flows=" + perTarget + " changeNs=" + changeNs);
        AgentSettings with = new AgentSettings(this);
        with.flowsPerTarget = perTarget;
        with.flowChangeNs = changeNs;
        return with;
    }

    /** Sets the lengths of probes in bytes, each as often as it is there: 64, 512, or 1,025 to 4,096. */
    public AgentSettings withSizes(int... bytes) {
        expect(bytes.length >= 1 && bytes.length <= 64, "sizes=" + bytes.length);
        for (int size : bytes) {
            expect(size == ProbeLayout.BYTES || size == MIDDLE_BYTES || size > 1024 && size <= 4096,
                    "a probe has 64, 512, or 1025 to 4096 bytes, size=" + size);
        }
        AgentSettings with = new AgentSettings(this);
        with.sizes = bytes.clone();
        return with;
    }

    /** Sets the service levels, 0 to 7, each as often as it is there. */
    public AgentSettings withServiceLevels(int... levels) {
        expect(levels.length >= 1 && levels.length <= 64, "levels=" + levels.length);
        for (int level : levels) {
            expect(level >= 0 && level <= 7, "a service level is 0 to 7, level=" + level);
        }
        AgentSettings with = new AgentSettings(this);
        with.serviceLevels = levels.clone();
        return with;
    }

    /** Sets which share of a core, above 0, the agent may take before it probes less. */
    public AgentSettings withCpuLimit(double share) {
        expect(share > 0, "share=" + share);
        AgentSettings with = new AgentSettings(this);
        with.cpuLimit = share;
        return with;
    }

    /** Returns the class of a length: 0, 1 or 2. */
    static int sizeClass(int bytes) {
        return bytes > MIDDLE_BYTES ? 2 : bytes > ProbeLayout.BYTES ? 1 : 0;
    }

    /** Returns the lengths that a transport takes. */
    int[] sizes(int maxBytes) {
        int[] fit = Arrays.stream(sizes).filter(size -> size <= maxBytes).toArray();
        return fit.length > 0 ? fit : new int[] {ProbeLayout.BYTES};
    }

    int[] serviceLevels() {
        return serviceLevels;
    }

    double perSecond() {
        return perSecond;
    }

    public long windowNs() {
        return windowNs;
    }

    public long timeoutNs() {
        return timeoutNs;
    }

    long settleNs() {
        return settleNs;
    }

    double sameRackShare() {
        return sameRackShare;
    }

    int flowsPerTarget() {
        return flowsPerTarget;
    }

    long flowChangeNs() {
        return flowChangeNs;
    }

    double cpuLimit() {
        return cpuLimit;
    }
}
