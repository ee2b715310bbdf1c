package org.jvrpc.verbs.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The CPU bandwidth limit of a cgroup that this process is in. Once its threads have had {@code cpus * periodNs} of CPU
 * time in a period, all of them stand still until the next period: the group is throttled. Source: the kernel's
 * cgroup-v2 and sched-bwc documents.
 *
 * @param source the file that has the limit
 * @param cpus CPUs that the group may use all the time, above 0
 * @param periodNs the length of a period
 * @param periods periods in which the group wanted to run, since it was made; 0 when that is not told
 * @param throttledPeriods those of them that it was throttled in
 * @param throttledNs time that it was throttled for, of all CPUs together
 */
public record CpuQuota(
        Path source, double cpus, long periodNs, long periods, long throttledPeriods, long throttledNs) {

    private static final long NS_PER_US = 1000;

    /** Returns the limits of this process's group and of those above it, from the inside to the outside. */
    public static List<CpuQuota> ofThisProcess() {
        return read(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
    }

    /**
     * Returns the limits that files tell of.
     *
     * @param proc {@code /proc}, or a folder like it
     * @param mount {@code /sys/fs/cgroup}, or a folder like it
     */
    public static List<CpuQuota> read(Path proc, Path mount) {
        List<CpuQuota> quotas = new ArrayList<>();
        for (Path group : Cgroups.folders(proc, mount, "cpu")) {
            addUnified(quotas, group);
            addLegacy(quotas, group);
        }
        return quotas;
    }

    /** Returns the CPUs that the smallest of some limits leaves; infinite without one. */
    public static double least(List<CpuQuota> quotas) {
        return quotas.stream().mapToDouble(CpuQuota::cpus).min().orElse(Double.POSITIVE_INFINITY);
    }

    /** Version 2: {@code cpu.max} has quota, or {@code max}, and period in us. */
    private static void addUnified(List<CpuQuota> quotas, Path group) {
        List<String> lines = Cgroups.lines(group.resolve("cpu.max"));
        String[] words = lines.isEmpty() ? new String[0] : lines.get(0).strip().split(" +");
        if (words.length == 2) {
            add(quotas, group.resolve("cpu.max"), Cgroups.number(words[0]), Cgroups.number(words[1]),
                    "throttled_usec", NS_PER_US);
        }
    }

    /** Version 1: two files in us, the quota -1 for none. */
    private static void addLegacy(List<CpuQuota> quotas, Path group) {
        List<String> quota = Cgroups.lines(group.resolve("cpu.cfs_quota_us"));
        List<String> period = Cgroups.lines(group.resolve("cpu.cfs_period_us"));
        if (!quota.isEmpty() && !period.isEmpty()) {
            add(quotas, group.resolve("cpu.cfs_quota_us"), Cgroups.number(quota.get(0)),
                    Cgroups.number(period.get(0)), "throttled_time", 1);
        }
    }

    private static void add(
            List<CpuQuota> quotas, Path source, long quotaUs, long periodUs, String timeField, long nsPerUnit) {
        if (quotaUs > 0 && periodUs > 0) {
            Path statistics = source.resolveSibling("cpu.stat");
            quotas.add(new CpuQuota(source, (double) quotaUs / periodUs, periodUs * NS_PER_US,
                    Math.max(0, Cgroups.field(statistics, "nr_periods")),
                    Math.max(0, Cgroups.field(statistics, "nr_throttled")),
                    Math.max(0, Cgroups.field(statistics, timeField)) * nsPerUnit));
        }
    }
}
