package org.jvrpc.benchmarks.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A shell process that signals the run's processes when told to, and, when its input ends because the driver ended or
 * died, kills those that are left and deletes the run's folder. A stopped process cannot end by itself; this one sees
 * to it.
 */
final class Warden implements AutoCloseable {

    private static final String SCRIPT = """
            trap '' INT HUP TERM
            all=
            while read -r verb pid; do
              case $verb in
                WATCH) all="$all $pid" ;;
                FORGET) rest=; for p in $all; do [ "$p" = "$pid" ] || rest="$rest $p"; done; all=$rest ;;
                *) kill -s "$verb" $pid 2>/dev/null ;;
              esac
              echo done
            done
            for p in $all; do kill -s KILL "$p" 2>/dev/null; done
            rm -rf "$1"
            """;

    private final Process process;
    private final Writer commands;
    private final BufferedReader answers;

    private Warden(Process process) {
        this.process = process;
        this.commands = process.outputWriter();
        this.answers = process.inputReader();
    }

    /** Starts one that deletes {@code directory} at the end. */
    static Warden start(Path directory) throws IOException {
        return new Warden(new ProcessBuilder("/bin/sh", "-c", SCRIPT, "warden", directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    void watch(long pid) {
        tell("WATCH", pid);
    }

    void forget(long pid) {
        tell("FORGET", pid);
    }

    void stop(long pid) {
        tell("STOP", pid);
    }

    void resume(long pid) {
        tell("CONT", pid);
    }

    private synchronized void tell(String verb, long pid) {
        try {
            commands.write(verb + ' ' + pid + '\n');
            commands.flush();
            if (answers.readLine() == null) {
                throw new IOException("the shell that signals processes has ended");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot signal a process: verb=" + verb + " pid=" + pid, e);
        }
    }

    @Override
    public void close() {
        try {
            commands.close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
