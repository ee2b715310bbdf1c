package org.jvrpc.tools.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CPU quotas of containers, by files as the kernel has them. */
final class CpuCheckTest {

    private static final String GROUP = "/sys/fs/cgroup/box";

    @TempDir
    private Path root;

    private FakeHost quota(String max, int throttled) {
        return new FakeHost(root).file("/proc/self/cgroup", "0::/box\n").file(GROUP + "/cpu.max", max + " 100000\n")
                .file(GROUP + "/cpu.stat", "nr_periods 100\nnr_throttled " + throttled + "\nthrottled_usec 340000\n");
    }

    private static Finding only(FakeHost fake) {
        List<Finding> found = CpuCheck.check(fake.host());
        assertEquals(1, found.size(), found::toString);
        return found.get(0);
    }

    private static void says(Finding finding, Mark mark, String text) {
        assertEquals(mark, finding.mark(), finding::toString);
        assertTrue(finding.text().contains(text), finding::toString);
        assertEquals(mark == Mark.WARN, finding.cure().contains("IdleStrategy.BLOCK"), finding::toString);
    }

    @Test
    void noQuotaIsFine() {
        says(only(new FakeHost(root)), Mark.OK, "none");
        says(only(quota("max", 0)), Mark.OK, "none");
    }

    @Test
    void aQuotaThatSuffices() {
        says(only(quota("400000", 0)), Mark.OK, "4 CPUs, by " + GROUP
                + "/cpu.max; throttled in 0 of 100 periods of 100 ms");
    }

    @Test
    void aQuotaBelowTheSpinningThreadsOfACallIsWarnedOf() {
        Finding found = only(quota("150000", 0));
        says(found, Mark.WARN, "1.5 CPUs");
        says(found, Mark.WARN, "spin");
        says(only(quota("200000", 0)), Mark.OK, "2 CPUs");
    }

    @Test
    void aProcessThatWasThrottledIsTold() {
        says(only(quota("400000", 12)), Mark.WARN, "throttled in 12 of 100 periods of 100 ms, 340 ms in all");
    }

    @Test
    void theFirstVersionOfGroupsIsKnownAndEveryGroupIsALine() {
        FakeHost fake = new FakeHost(root).file("/proc/self/cgroup", "2:cpu,cpuacct:/pod/box\n")
                .file("/sys/fs/cgroup/cpu,cpuacct/pod/box/cpu.cfs_quota_us", "200000\n")
                .file("/sys/fs/cgroup/cpu,cpuacct/pod/box/cpu.cfs_period_us", "50000\n")
                .file("/sys/fs/cgroup/cpu,cpuacct/pod/cpu.cfs_quota_us", "100000\n")
                .file("/sys/fs/cgroup/cpu,cpuacct/pod/cpu.cfs_period_us", "100000\n")
                .file("/sys/fs/cgroup/cpu,cpuacct/pod/cpu.stat",
                        "nr_periods 9\nnr_throttled 5\nthrottled_time 7000000\n");
        List<Finding> found = CpuCheck.check(fake.host());
        assertEquals(2, found.size(), found::toString);
        says(found.get(0), Mark.OK, "4 CPUs, by /sys/fs/cgroup/cpu,cpuacct/pod/box/cpu.cfs_quota_us");
        says(found.get(1), Mark.WARN, "throttled in 5 of 9 periods of 100 ms, 7 ms in all");
    }

    @Test
    void thisHostCanBeLookedAt() {
        CpuCheck.check(Host.real()).forEach(finding -> assertFalse(finding.failed(), finding::toString));
    }
}
