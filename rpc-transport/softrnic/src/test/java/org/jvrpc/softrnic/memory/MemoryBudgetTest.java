package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of machine and container, by files as the kernel has them. */
class MemoryBudgetTest {

    private static final long MB = 1L << 20;

    @TempDir
    private Path root;
    private MemoryBudget budget;

    @BeforeEach
    void aMachineWithAGigabyteToSpare() throws IOException {
        write("proc/meminfo", "MemTotal:       4194304 kB\nMemAvailable:    1048576 kB\n");
        budget = new MemoryBudget(root.resolve("proc"), root.resolve("cgroup"));
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void group(String folder, long limit, long used, long cache) throws IOException {
        write("cgroup/" + folder + "/memory.max", (limit < 0 ? "max" : Long.toString(limit)) + "\n");
        write("cgroup/" + folder + "/memory.current", used + "\n");
        write("cgroup/" + folder + "/memory.stat", "anon 1\ninactive_file " + cache + "\nactive_file 5\n");
    }

    private void refuses(long bytes, String... parts) {
        IOException refusal = assertThrows(IOException.class, () -> budget.refuseBeyond(bytes));
        for (String part : parts) {
            assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
        }
    }

    private void grants(long bytes) {
        assertDoesNotThrow(() -> budget.refuseBeyond(bytes));
    }

    @Test
    void theMachinesMemoryIsTheLimitWithoutGroups() {
        grants(900 * MB);
        refuses(1000 * MB, "available bytes=" + 1024 * MB, "meminfo");
    }

    @Test
    void aGroupsLimitIsKeptThoughTheMachineHasMore() throws IOException {
        write("proc/self/cgroup", "0::/box\n");
        group("box", 256 * MB, 100 * MB, 0);
        grants(100 * MB);
        refuses(150 * MB, "available bytes=" + 156 * MB, "memory.max");
    }

    @Test
    void theCacheThatTheKernelCanDropCountsAsAvailable() throws IOException {
        write("proc/self/cgroup", "0::/box\n");
        group("box", 256 * MB, 250 * MB, 200 * MB);
        grants(150 * MB);
        refuses(200 * MB, "available bytes=" + 206 * MB);
    }

    @Test
    void aGroupAboveLimitsThoseBelow() throws IOException {
        write("proc/self/cgroup", "0::/slice/box\n");
        group("slice/box", -1, 10 * MB, 0);
        group("slice", 128 * MB, 100 * MB, 0);
        grants(10 * MB);
        refuses(30 * MB, "slice");
    }

    @Test
    void inAContainerTheRootIsItsOwnGroupWhateverThePathSays() throws IOException {
        write("proc/self/cgroup", "0::/../../elsewhere\n");
        group("", 128 * MB, 100 * MB, 0);
        refuses(30 * MB, "memory.max");
    }

    @Test
    void theFirstVersionOfGroupsIsKnown() throws IOException {
        write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/1\n");
        write("cgroup/memory/memory.limit_in_bytes", 128 * MB + "\n");
        write("cgroup/memory/memory.usage_in_bytes", 100 * MB + "\n");
        write("cgroup/memory/memory.stat", "total_inactive_file 0\n");
        grants(10 * MB);
        refuses(30 * MB, "memory.limit_in_bytes");
    }

    @Test
    void filesThatAreNotThereLimitNothing() {
        MemoryBudget nowhere = new MemoryBudget(root.resolve("a"), root.resolve("b"));
        assertDoesNotThrow(() -> nowhere.refuseBeyond(1L << 50));
    }

    @Test
    void allThatIsNotLeftToOthersIsGrantedAndNotOneByteMore() {
        grants(960 * MB);
        refuses(960 * MB + 1);
    }

    @Test
    void aMachineOrAGroupThatHasNothingGrantsNothing() throws IOException {
        write("proc/meminfo", "MemAvailable: 0 kB\n");
        refuses(1, "available bytes=0");
        write("proc/meminfo", "");
        grants(1);
        write("proc/self/cgroup", "0::/box\n");
        group("box", 0, 0, 0);
        refuses(1, "available bytes=0");
    }

    @Test
    void theLimitOfAGroupThatUsesNothingYetIsKept() throws IOException {
        write("proc/self/cgroup", "0::/box\n");
        group("box", 128 * MB, 0, 0);
        grants(120 * MB);
        refuses(121 * MB, "available bytes=" + 128 * MB);
    }

    @Test
    void aLimitOfTheFirstVersionIsThatOfTheMemorysGroupAlone() throws IOException {
        write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/1\n");
        write("cgroup/memory/x/memory.limit_in_bytes", "0\n");
        write("cgroup/memory/x/memory.usage_in_bytes", "0\n");
        grants(900 * MB);
    }

    @Test
    void smallPiecesAreLookedAtWhenTheyAreSixteenMegabytesTogether() throws IOException {
        write("proc/meminfo", "MemAvailable: 0 kB\n");
        budget.check(16 * MB - 1);
        assertThrows(IOException.class, () -> budget.check(1), "it makes 16 MiB");
        assertThrows(IOException.class, () -> budget.check(1), "the refused one was not counted off");
        write("proc/meminfo", "MemAvailable: 1048576 kB\n");
        budget.check(1);
        write("proc/meminfo", "MemAvailable: 0 kB\n");
        budget.check(16 * MB - 1); // counted anew
    }
}
