package org.jvrpc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Processes by their numbers, and commands of the system. */
public final class Processes {

    private static final long COMMAND_SECONDS = 60;

    private Processes() {
    }

    /** SIGKILL. @throws AssertionError when there is no such process */
    public static void kill(long pid) {
        ProcessHandle.of(pid).orElseThrow(() -> new AssertionError("no process " + pid)).destroyForcibly();
    }

    /** Sends a signal by name, for instance TERM. */
    public static void signal(long pid, String name) {
        int status = run("kill", "-" + name, Long.toString(pid));
        if (status != 0) {
            throw new AssertionError("kill -" + name + " " + pid + " ended with status=" + status);
        }
    }

    /** SIGSTOP, and waits until each of its threads stands still: each stops when the kernel gets to it. */
    public static void stop(long pid) {
        signal(pid, "STOP");
        Waits.until("process " + pid + " to stop", () -> isStopped(pid));
    }

    /** SIGCONT. */
    public static void resume(long pid) {
        signal(pid, "CONT");
    }

    private static boolean isStopped(long pid) {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                if (state(thread) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false; // a thread ended meanwhile
        }
    }

    private static char state(Path process) throws IOException {
        String stat = Files.readString(process.resolve("stat"));
        return stat.charAt(stat.lastIndexOf(')') + 2);
    }

    /** Returns false for a process that is gone, or a zombie. */
    public static boolean isRunning(long pid) {
        try {
            return "ZX".indexOf(state(Path.of("/proc/" + pid))) < 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Runs a command of the system, without its output; returns its exit status, -1 when it cannot be started. */
    public static int run(String... command) {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException e) {
            return -1;
        }
        return exitStatus(process, String.join(" ", command));
    }

    /** Waits for an end. @throws AssertionError when it does not come */
    static int exitStatus(Process process, String what) {
        try {
            if (process.waitFor(Math.max(COMMAND_SECONDS, Waits.limitNs() / 1_000_000_000), TimeUnit.SECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the end of " + what, e);
        }
        throw new AssertionError(what + " does not end");
    }

    /** Starts a command whose output is read by the caller. */
    static Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + builder.command(), e);
        }
    }
}
