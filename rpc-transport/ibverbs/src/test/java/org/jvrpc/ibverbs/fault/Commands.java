package org.jvrpc.ibverbs.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Programs of the system, each with a time limit. Any thread. */
final class Commands {

    private static final int SECONDS = 30;

    private Commands() {
    }

    /**
     * What a program left.
     *
     * @param exit its exit status, -1 when its time was over
     */
    record Result(int exit, String output) {
    }

    /** Runs a program and returns what it printed. @throws AssertionError when it fails */
    static String run(String... command) {
        Result result = run(SECONDS, command);
        if (result.exit() != 0) {
            throw new AssertionError(String.join(" ", command) + ": exit=" + result.exit() + " " + result.output());
        }
        return result.output();
    }

    /** Runs a program, at most so many seconds. */
    static Result run(int seconds, String... command) {
        Process process = null;
        try {
            Path output = Files.createTempFile("jvrpc-command", ".txt");
            process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
            boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
            String text = Files.readString(output, StandardCharsets.UTF_8);
            Files.delete(output);
            return new Result(ended ? process.exitValue() : -1, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }
}
