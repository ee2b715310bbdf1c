package org.jvrpc.verbs.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits by files as the kernel has them. */
class CpuQuotaTest {

    @TempDir
    private Path root;

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private List<CpuQuota> read() {
        return CpuQuota.read(root.resolve("proc"), root.resolve("cgroup"));
    }

    private CpuQuota quota(String source, double cpus, long periods, long throttled, long throttledNs) {
        return new CpuQuota(root.resolve("cgroup").resolve(source), cpus, 100_000_000, periods, throttled, throttledNs);
    }

    @Test
    void aGroupsQuotaIsItsCpusAndItsStatisticsTellHowOftenItWasThrottled() throws IOException {
        write("proc/self/cgroup", "0::/box\n");
        write("cgroup/box/cpu.max", "150000 100000\n");
        write("cgroup/box/cpu.stat", "usage_usec 9\nnr_periods 100\nnr_throttled 12\nthrottled_usec 340000\n");
        assertEquals(List.of(quota("box/cpu.max", 1.5, 100, 12, 340_000_000)), read());
    }

    @Test
    void groupsAboveLimitThoseBelowAndTheSmallestLimitCounts() throws IOException {
        write("proc/self/cgroup", "0::/pod/box\n");
        write("cgroup/pod/box/cpu.max", "max 100000\n");
        write("cgroup/pod/cpu.max", "200000 100000\n");
        write("cgroup/cpu.max", "50000 100000\n");
        assertEquals(List.of(quota("pod/cpu.max", 2, 0, 0, 0), quota("cpu.max", 0.5, 0, 0, 0)), read());
        assertEquals(0.5, CpuQuota.least(read()));
    }

    @Test
    void inAContainerTheRootIsItsOwnGroupWhateverThePathSays() throws IOException {
        write("proc/self/cgroup", "0::/../../elsewhere\n");
        write("cgroup/cpu.max", "50000 100000\n");
        assertEquals(0.5, CpuQuota.least(read()));
    }

    @Test
    void theFirstVersionOfGroupsIsKnownWithItsControllersJoinedOrAlone() throws IOException {
        write("proc/self/cgroup", "4:memory:/docker/1\n2:cpu,cpuacct:/docker/1\n0::/\n");
        write("cgroup/cpu/docker/1/cpu.cfs_quota_us", "25000\n");
        write("cgroup/cpu/docker/1/cpu.cfs_period_us", "100000\n");
        write("cgroup/cpu/docker/1/cpu.stat", "nr_periods 8\nnr_throttled 3\nthrottled_time 700\n");
        assertEquals(List.of(quota("cpu/docker/1/cpu.cfs_quota_us", 0.25, 8, 3, 700)), read());
        write("cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
        write("cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
        assertEquals(List.of(), read());
    }

    @Test
    void filesThatAreNotThereOrSaySomethingElseLimitNothing() throws IOException {
        assertEquals(List.of(), read());
        assertEquals(Double.POSITIVE_INFINITY, CpuQuota.least(read()));
        write("proc/self/cgroup", "0::/\nrubbish\n");
        for (String text : List.of("", "\n", "100000", "0 100000", "100000 0", "a b", "100000 max")) {
            write("cgroup/cpu.max", text);
            assertEquals(List.of(), read(), text);
        }
    }

    @Test
    void thisProcessCanBeAsked() {
        CpuQuota.ofThisProcess().forEach(quota -> assertEquals(true, quota.cpus() > 0, quota::toString));
    }
}
