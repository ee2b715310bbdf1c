package org.jvrpc.watch.counters;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A run of a program of the host, whose time and output are bounded. */
final class ToolRun {

    private static final int MOST_BYTES = 4 << 20;

    private ToolRun() {
    }

    static Tool.Result run(List<String> command, long timeoutMs) {
        String name = command.get(0);
        Process process;
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectInput(new File("/dev/null"));
            builder.environment().put("LC_ALL", "C");
            process = builder.start();
        } catch (IOException e) {
            return Tool.Result.refused(name + ": no such program, or not executable");
        }
        try {
            return result(process, name, timeoutMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Tool.Result.refused(name + ": interrupted");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static Tool.Result result(Process process, String name, long timeoutMs) throws InterruptedException {
        CompletableFuture<String> out = reading(process.getInputStream(), name);
        CompletableFuture<String> error = reading(process.getErrorStream(), name);
        if (!process.waitFor(timeoutMs, TimeUnit.MILLISECONDS)) {
            return Tool.Result.refused(name + ": no end within " + timeoutMs + " ms");
        }
        String text = get(out);
        if (process.exitValue() != 0) {
            String why = get(error);
            return Tool.Result.refused(name + ": " + (why == null || why.isBlank() ? "exit code " + process.exitValue()
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
