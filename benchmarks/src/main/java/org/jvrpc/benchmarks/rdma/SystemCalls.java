package org.jvrpc.benchmarks.rdma;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jvrpc.benchmarks.harness.Programs;

/** Counts the system calls of a process by {@code strace -c}, while this is open. */
public final class SystemCalls {

    private static final int LIMIT_S = 20;

    private final Process strace;
    private final Path file;
    private final Path log;

    private SystemCalls(Process strace, Path file, Path log) {
        this.strace = strace;
        this.file = file;
        this.log = log;
    }

    /** Returns true when strace is installed. */
    public static boolean isPossible() {
        return Programs.find("strace") != null;
    }

    /** Attaches to all threads of a process and returns when it counts. */
    public static SystemCalls attach(long pid, Path folder) throws IOException {
        Path file = folder.resolve("strace-" + pid);
        Path log = folder.resolve("strace-" + pid + ".log");
        Process strace = new ProcessBuilder("strace", "-c", "-f", "-U", "name,calls", "-o", file.toString(), "-p",
                Long.toString(pid)).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        SystemCalls calls = new SystemCalls(strace, file, log);
        calls.await(pid);
        return calls;
    }

    private void await(long pid) throws IOException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
        try {
            while (!Files.readString(log).contains("attached")) {
                if (System.nanoTime() > endNs || strace.waitFor(10, TimeUnit.MILLISECONDS)) {
                    strace.destroyForcibly();
                    throw new IOException("strace does not attach to pid=" + pid + ": " + Files.readString(log));
                }
            }
        } catch (InterruptedException e) {
            strace.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while strace attached", e);
        }
    }

    /** Detaches and returns how often each system call was made; one that has not ended is not counted. */
    public Map<String, Long> detach() throws IOException {
        try {
            strace.destroy();
            if (!strace.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                strace.destroyForcibly();
                throw new IOException("strace does not end");
            }
        } catch (InterruptedException e) {
            strace.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while strace ended", e);
        }
        return parse(Files.readString(file));
    }

    /** Reads lines of a name and a count, among headings and a total. */
    static Map<String, Long> parse(String table) {
        Map<String, Long> calls = new TreeMap<>();
        for (String line : table.lines().toList()) {
            String[] words = line.trim().split(" +");
            if (words.length == 2 && words[1].matches("\\d+") && !words[0].equals("total")) {
                calls.put(words[0], Long.parseLong(words[1]));
            }
        }
        return calls;
    }
}
