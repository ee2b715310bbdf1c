package org.jvrpc.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Keeps processes on processors, where taskset is installed. */
public final class Pinning {

    private final String taskset = Programs.find("taskset");

    /** Asked once: a process that is kept on one processor has no more than that. */
    private final boolean possible = taskset != null && Runtime.getRuntime().availableProcessors() > 1;

    /** Returns true when processes can be kept on processors. */
    public boolean isPossible() {
        return possible;
    }

    /** Returns what to put before a command that is to run on one processor. */
    public List<String> prefix(int processor) {
        return isPossible() ? List.of(taskset, "-c", Integer.toString(processor)) : List.of();
    }

    /** Keeps this process, and those that it starts from now on, on one processor. */
    public void pinSelf(int processor) throws IOException {
        if (isPossible()) {
            run(processor, ProcessHandle.current().pid());
        }
    }

    /** Keeps the calling thread, and those that it starts from now on, on one processor. */
    public void pinThread(int processor) throws IOException {
        if (isPossible()) {
            String thread = Path.of("/proc/thread-self").toRealPath().getFileName().toString();
            run(taskset, "-c", "-p", Integer.toString(processor), thread);
        }
    }

    /**
     * Moves a process with all its threads to one processor. With all: a JVM whose own threads have to wait elsewhere
     * holds up the others at its safepoints.
     */
    public void pin(long pid, int processor) throws IOException {
        if (isPossible()) {
            run(processor, pid);
        }
    }

    /**
     * Moves the threads of a process to one processor whose names begin so, and those that they start.
     *
     * @param name at most 7 characters: the system keeps the beginning and the end of a longer name
     */
    public void pinThreads(long pid, String name, int processor) throws IOException {
        if (!isPossible()) {
            return;
        }
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks.toList()) {
                if (nameOf(task).startsWith(name)) {
                    run(taskset, "-c", "-p", Integer.toString(processor), task.getFileName().toString());
                }
            }
        }
    }

    /** Returns the name of a thread, empty when it has ended meanwhile. */
    private static String nameOf(Path task) throws IOException {
        try {
            return Files.readString(task.resolve("comm"));
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) { // ESRCH, where it ends between opening and reading
            if (Files.exists(task)) {
                throw e;
            }
            return "";
        }
    }

    /** Has a process with all its threads go before all others on its processor; false where that is not allowed. */
    public boolean prefer(long pid) throws IOException {
        String chrt = Programs.find("chrt");
        return chrt != null && run(chrt, "-a", "-f", "-p", "1", Long.toString(pid)) == 0;
    }

    private void run(int processor, long pid) throws IOException {
        run(taskset, "-a", "-c", "-p", Integer.toString(processor), Long.toString(pid));
    }

    private static int run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }
}
