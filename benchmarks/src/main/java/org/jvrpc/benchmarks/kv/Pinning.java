package org.jvrpc.benchmarks.kv;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Keeps processes on processors, where taskset is installed. */
final class Pinning {

    private final String taskset = KvServers.find("taskset");

    boolean isPossible() {
        return taskset != null && Runtime.getRuntime().availableProcessors() > 1;
    }

    /** Returns what to put before a command that is to run on one processor. */
    List<String> prefix(int processor) {
        return isPossible() ? List.of(taskset, "-c", Integer.toString(processor)) : List.of();
    }

    /**
     * Gives the main thread of a JVM a processor, and moves its other threads, which collect, compile and reconnect, to
     * another one. The main thread is the one that the launcher made: it has the launcher's name and not its number.
     */
    void pinMain(long pid, int processor, int others) throws IOException {
        if (!isPossible()) {
            return;
        }
        run("-a", others, pid);
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                long tid = Long.parseLong(thread.getFileName().toString());
                if (tid != pid && Files.readString(thread.resolve("comm")).trim().equals("java")) {
                    run("", processor, tid);
                }
            }
        }
    }

    private void run(String all, int processor, long id) throws IOException {
        List<String> command = new ArrayList<>(List.of(taskset, "-c", "-p", Integer.toString(processor),
                Long.toString(id)));
        if (!all.isEmpty()) {
            command.add(1, all);
        }
        Process process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
