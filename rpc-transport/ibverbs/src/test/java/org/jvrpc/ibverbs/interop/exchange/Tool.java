package org.jvrpc.ibverbs.interop.exchange;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A C tool, running. Closing ends it, whatever it does. */
public final class Tool implements AutoCloseable {

    private static final int SECONDS = 60;
    private static final int MOMENT_MS = 10;

    private final String name;
    private final Path output;
    private final Process process;

    private Tool(String name, Path output, Process process) {
        this.name = name;
        this.output = output;
        this.process = process;
    }

    /** Starts a tool; skips the test, with the reason, where it is not installed. */
    public static Tool start(String... command) {
        assumeTrue(Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> new File(folder, command[0]).canExecute()), () -> "this machine has no "
                + command[0] + " (Debian: ibverbs-utils rdmacm-utils perftest)");
        try {
            Path output = Files.createTempFile("jvrpc-interop", ".txt");
            return new Tool(String.join(" ", command), output, new ProcessBuilder(Ends.command(List.of(command)))
                    .redirectErrorStream(true).redirectOutput(output.toFile()).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean isRunning() {
        return process.isAlive();
    }

    /** Returns true when it has ended, without complaint. */
    public boolean endedWell() {
        return !process.isAlive() && process.exitValue() == 0;
    }

    /** Waits a moment for what it is about to do; returns false when it ended meanwhile. */
    public boolean runsOn() {
        try {
            return !process.waitFor(MOMENT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Waits for its end, and returns what it printed. @throws AssertionError when it fails or does not end */
    public String finish() {
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(name + " did not end within seconds=" + SECONDS + ": " + output());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        if (process.exitValue() != 0) {
            throw new AssertionError(name + " ended with " + process.exitValue() + ": " + output());
        }
        return output();
    }

    /** Returns what it printed so far. */
    public String output() {
        try {
            return Files.readString(output, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(SECONDS, TimeUnit.SECONDS);
            Files.deleteIfExists(output);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name + (isRunning() ? " (running): " : " (ended with " + process.exitValue() + "): ") + output();
    }
}
