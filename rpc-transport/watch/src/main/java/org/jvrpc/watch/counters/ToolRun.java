package org.jvrpc.watch.counters;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A run of a program of the host, whose time and output are bounded. A program that cannot be ended, as one in state D,
 * keeps its threads here: the same command is refused until it is gone, so that there is one of them at most.
 */
final class ToolRun {

    /** Begins programs. */
    interface Starter {

        Process start(List<String> command) throws IOException;
    }

    /** A run that was left before all of it had ended. */
    private record Left(Process process, CompletableFuture<String> out, CompletableFuture<String> error) {

        boolean isOver() {
            return !process.isAlive() && out.isDone() && error.isDone();
        }
    }

    private static final int MOST_BYTES = 4 << 20;
    /** By command: of as many as a host has devices. */
    private static final Map<List<String>, Left> LEFT = new ConcurrentHashMap<>();

    private ToolRun() {
    }

    static Tool.Result run(List<String> command, long timeoutMs) {
        return run(command, timeoutMs, ToolRun::start);
    }

    static Tool.Result run(List<String> command, long timeoutMs, Starter starter) {
        String name = command.get(0);
        Left before = LEFT.get(command);
        if (before != null && !before.isOver()) {
            return Tool.Result.refused(name + ": " + (before.process.isAlive() ? "process " + pid(before.process)
                    + " of an earlier reading cannot be ended" : "an earlier one's child still has its output"));
        }
        LEFT.remove(command);
        Process process;
        try {
            process = starter.start(command);
        } catch (IOException e) {
            return Tool.Result.refused(name + ": no such program, or not executable");
        }
        Left run = new Left(process, reading(process.getInputStream(), name),
                reading(process.getErrorStream(), name));
        try {
            return result(run, name, timeoutMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Tool.Result.refused(name + ": interrupted");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            if (!run.isOver()) {
                LEFT.put(List.copyOf(command), run);
            }
        }
    }

    private static Process start(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectInput(new File("/dev/null"));
        builder.environment().put("LC_ALL", "C");
        return builder.start();
    }

    private static String pid(Process process) {
        try {
            return Long.toString(process.pid());
        } catch (UnsupportedOperationException e) {
            return "?";
        }
    }

    private static Tool.Result result(Left run, String name, long timeoutMs) throws InterruptedException {
        if (!run.process.waitFor(timeoutMs, TimeUnit.MILLISECONDS)) {
            return Tool.Result.refused(name + ": no end within " + timeoutMs + " ms");
        }
        String text = get(run.out);
        int code = run.process.exitValue();
        if (code != 0) {
            String why = get(run.error);
            why = why == null || why.isBlank() ? text : why;
            return Tool.Result.refused(name + ": " + (why == null || why.isBlank() ? "exit code " + code
                    : Values.shown(why.strip())));
        }
        if (text == null) {
            return Tool.Result.refused(name + ": its output cannot be read");
        }
        return text.length() > MOST_BYTES ? Tool.Result.refused(name + ": prints more than " + MOST_BYTES + " bytes")
                : Tool.Result.of(text);
    }

    /** Reads to the end, so that the program never waits; keeps the first bytes. */
    private static CompletableFuture<String> reading(InputStream from, String name) {
        CompletableFuture<String> text = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            try (from) {
                byte[] kept = from.readNBytes(MOST_BYTES + 1);
                from.transferTo(OutputStream.nullOutputStream());
                text.complete(new String(kept, StandardCharsets.UTF_8));
            } catch (IOException e) {
                text.completeExceptionally(e);
            }
        }, "jvrpc-reads-" + name);
        reader.setDaemon(true);
        reader.start();
        return text;
    }

    private static String get(CompletableFuture<String> text) throws InterruptedException {
        try {
            return text.get(1, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return null; // a child of the program holds the pipe, or it broke
        }
    }
}
