package org.jvrpc.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What processes hold. Source: proc_pid_smaps_rollup (proc(5)). */
final class Memory {

    private static final String PSS = "Pss:";
    private static final int COLLECTIONS = 3;

    private Memory() {
    }

    /**
     * Returns the bytes that a process has in memory; of those that it shares with others its part, so that the sum
     * over processes counts each byte once.
     */
    static long ofProcess(long pid) throws IOException {
        return parse(Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup")));
    }

    static long parse(List<String> rollup) throws IOException {
        for (String line : rollup) {
            if (line.startsWith(PSS)) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
            }
        }
        throw new IOException("no line " + PSS + " in " + rollup);
    }

    /** Returns the bytes of live objects on this JVM's heap. */
    static long heap() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
