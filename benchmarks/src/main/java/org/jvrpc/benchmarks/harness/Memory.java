package org.jvrpc.benchmarks.harness;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What processes hold. Source: proc_pid_smaps_rollup (proc(5)). */
final class Memory {

    private static final String PSS = "Pss:";
    private static final String PSS_SHARED = "Pss_Shmem:";
    private static final Path DEVICES = Path.of("/dev/shm", "jvrpc-" + System.getProperty("user.name"));
    private static final int COLLECTIONS = 3;

    private Memory() {
    }

    /**
     * Returns the bytes that a process has in memory; of those that it shares with others its part, so that the sum
     * over processes counts each byte once. Shared memory is counted where it lies, in the files of the process's
     * devices: what nobody has mapped, or touched, takes memory, too.
     */
    static long ofProcess(long pid) throws IOException {
        List<String> rollup = Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup"));
        return parse(rollup, PSS) - parse(rollup, PSS_SHARED) + files(DEVICES, "d-" + pid + "-*");
    }

    /** Returns the bytes of the files in the folders with such names. */
    static long files(Path parent, String glob) throws IOException {
        if (!Files.isDirectory(parent)) {
            return 0;
        }
        long bytes = 0;
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, glob)) {
            for (Path folder : folders) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, Files::isRegularFile)) {
                    for (Path file : files) {
                        bytes += Files.size(file);
                    }
                }
            }
        }
        return bytes;
    }

    static long parse(List<String> rollup, String name) throws IOException {
        for (String line : rollup) {
            if (line.startsWith(name)) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
            }
        }
        throw new IOException("no line " + name + " in " + rollup);
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
