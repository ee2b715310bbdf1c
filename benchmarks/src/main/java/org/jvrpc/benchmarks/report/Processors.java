package org.jvrpc.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How far the processors are apart that a run may use, as the system tells, and a hypervisor may invent. It decides
 * what a cache line to and fro takes: siblings of one core some 50 ns, two sockets several hundred.
 */
public final class Processors {

    private static final String ALLOWED = "Cpus_allowed_list:";

    private Processors() {
    }

    /** Returns how the two processors of this process are related, or that there are more, and the system chooses. */
    public static String describe() {
        try {
            List<Integer> allowed = allowed(Path.of("/proc/self/status"));
            return allowed.size() == 2
                    ? "processors " + allowed.get(0) + " and " + allowed.get(1) + ": "
                            + relation(Path.of("/sys/devices/system/cpu"), allowed.get(0), allowed.get(1))
                    : allowed.size() + " processors, the system chooses: pair unknown";
        } catch (IOException | NumberFormatException e) {
            return "processors: unknown";
        }
    }

    /** Returns the processors that a process may use. @param status a file like /proc/self/status */
    static List<Integer> allowed(Path status) throws IOException {
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith(ALLOWED)) {
                return list(line.substring(ALLOWED.length()).trim());
            }
        }
        return List.of();
    }

    /** Reads {@code 0,4-6}. */
    private static List<Integer> list(String text) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : text.split(",")) {
            String[] ends = part.split("-");
            for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) {
                numbers.add(i);
            }
        }
        return numbers;
    }

    /** Returns how two processors are related. @param folder like /sys/devices/system/cpu */
    static String relation(Path folder, int one, int other) {
        try {
            Path cpu = folder.resolve("cpu" + one);
            if (list(read(cpu.resolve("topology/thread_siblings_list"))).contains(other)) {
                return "siblings of one core";
            }
            for (int index = 0; Files.isDirectory(cpu.resolve("cache/index" + index)); index++) {
                Path cache = cpu.resolve("cache/index" + index);
                if (read(cache.resolve("level")).equals("3")
                        && list(read(cache.resolve("shared_cpu_list"))).contains(other)) {
                    return "two cores with one L3 cache";
                }
            }
            String socket = "topology/physical_package_id";
            return read(cpu.resolve(socket)).equals(read(folder.resolve("cpu" + other).resolve(socket)))
                    ? "two cores of one socket"
                    : "two sockets";
        } catch (IOException | NumberFormatException e) {
            return "unknown";
        }
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).trim();
    }
}
