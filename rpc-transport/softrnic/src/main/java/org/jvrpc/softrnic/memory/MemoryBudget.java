package org.jvrpc.softrnic.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory this process may still take: a tmpfs of the usual size promises more than the machine has, or the
 * container may use, and taking it would have the kernel kill somebody. Reads {@code MemAvailable} of the machine, and
 * limit and use of the process's cgroup and those above it, of version 2 or 1. Any thread.
 */
final class MemoryBudget {

    /** What is left for others, in bytes, and a 16th of a smaller limit. */
    private static final long RESERVE = 64L << 20;
    /** Small slabs are looked at together: to read these files takes some 100 us. */
    private static final long CHECK_EVERY = 16L << 20;
    /** What this process has. */
    static final MemoryBudget HOST = new MemoryBudget(Path.of("/proc"), Path.of("/sys/fs/cgroup"));

    private final Path proc;
    private final Path cgroups;
    private final AtomicLong unchecked = new AtomicLong();

    /**
     * @param proc {@code /proc}
     * @param cgroups {@code /sys/fs/cgroup}
     */
    MemoryBudget(Path proc, Path cgroups) {
        this.proc = proc;
        this.cgroups = cgroups;
    }

    /** Refuses what this process cannot have. @throws IOException that names what there is, and where it is said */
    void check(long bytes) throws IOException {
        if (unchecked.addAndGet(bytes) >= CHECK_EVERY) {
            refuseBeyond(bytes);
            unchecked.set(0);
        }
    }

    /** @throws IOException when so many bytes are not there */
    void refuseBeyond(long bytes) throws IOException {
        Path meminfo = proc.resolve("meminfo");
        long available = field(meminfo, "MemAvailable:");
        if (available >= 0) {
            refuse(bytes, available * 1024, RESERVE, meminfo);
        }
        for (String line : lines(proc.resolve("self/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                refuseInGroup(bytes, cgroups, parts[2], "memory.max", "memory.current", "inactive_file");
            } else if (parts.length == 3 && List.of(parts[1].split(",")).contains("memory")) {
                refuseInGroup(bytes, cgroups.resolve("memory"), parts[2], "memory.limit_in_bytes",
                        "memory.usage_in_bytes", "total_inactive_file");
            }
        }
    }

    /** Looks at a group and all above it; in a container the path may be one of the host, of which only the root is. */
    private static void refuseInGroup(
            long bytes, Path root, String group, String limitFile, String useFile, String reclaimable)
            throws IOException {
        Path named = root.resolve(group.replaceFirst("^/+", "")).normalize();
        Path folder = named.startsWith(root) ? named : root;
        for (; folder.startsWith(root); folder = folder.getParent()) {
            long limit = number(folder.resolve(limitFile));
            long used = number(folder.resolve(useFile));
            if (limit >= 0 && used >= 0) {
                long cache = Math.max(0, field(folder.resolve("memory.stat"), reclaimable + " "));
                refuse(bytes, limit - used + Math.min(cache, used), Math.min(RESERVE, limit / 16),
                        folder.resolve(limitFile));
            }
        }
    }

    private static void refuse(long bytes, long available, long reserve, Path source) throws IOException {
        if (bytes > available - reserve) {
            throw new IOException("not enough memory: available bytes=" + available + " of which bytes=" + reserve
                    + " are left to others, by " + source);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // there is none on this machine
        }
    }

    /** Returns the number in a file; -1 when there is none, or {@code max}. */
    private static long number(Path file) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? -1 : parse(lines.get(0).strip());
    }

    private static long field(Path file, String name) {
        for (String line : lines(file)) {
            if (line.startsWith(name)) {
                return parse(line.substring(name.length()).replace("kB", "").strip());
            }
        }
        return -1;
    }

    private static long parse(String number) {
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
