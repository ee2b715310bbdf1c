package org.jvrpc.watch.counters;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs a program of the host that prints counters. */
public interface Tool {

    /** The host's. A run has five seconds and four MiB. */
    Tool SYSTEM = new Tool() {
        @Override
        public Result run(List<String> command) {
            return Runs.run(command, 5_000);
        }
    };

    /**
     * What it printed.
     *
     * @param text null when there is a refusal
     * @param refusal why there is nothing; null when there is
     */
    record Result(String text, String refusal) {

        static Result of(String text) {
            return new Result(text, null);
        }

        static Result refused(String why) {
            return new Result(null, why);
        }
    }

    /** Runs a program to its end. Never throws. */
    Result run(List<String> command);

    /** How the host's are run. */
    final class Runs {

        private static final int MOST_BYTES = 4 << 20;

        private Runs() {
        }

        static Result run(List<String> command, long timeoutMs) {
            String name = command.get(0);
            Process process;
            try {
                ProcessBuilder builder = new ProcessBuilder(command).redirectInput(new File("/dev/null"));
                builder.environment().put("LC_ALL", "C");
                process = builder.start();
            } catch (IOException e) {
                return Result.refused(name + ": no such program, or not executable");
            }
            try {
                return result(process, name, timeoutMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Result.refused(name + ": interrupted");
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }

        private static Result result(Process process, String name, long timeoutMs) throws InterruptedException {
            CompletableFuture<String> out = reading(process.getInputStream(), name);
            CompletableFuture<String> error = reading(process.getErrorStream(), name);
            if (!process.waitFor(timeoutMs, TimeUnit.MILLISECONDS)) {
                return Result.refused(name + ": no end within " + timeoutMs + " ms");
            }
            String text = get(out);
            if (process.exitValue() != 0) {
                String why = get(error);
                return Result.refused(name + ": " + (why == null || why.isBlank() ? "exit code " + process.exitValue()
                        : Values.shown(why.strip())));
            }
            if (text == null) {
                return Result.refused(name + ": its output cannot be read");
            }
            return text.length() > MOST_BYTES ? Result.refused(name + ": prints more than " + MOST_BYTES + " bytes")
                    : Result.of(text);
        }

        /** Reads to the end, so that the program never waits; keeps the first bytes. */
        private static CompletableFuture<String> reading(InputStream from, String name) {
            CompletableFuture<String> text = new CompletableFuture<>();
            Thread reader = new Thread(() -> {
                try (from) {
                    byte[] kept = from.readNBytes(MOST_BYTES + 1);
                    from.transferTo(java.io.OutputStream.nullOutputStream());
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
}
