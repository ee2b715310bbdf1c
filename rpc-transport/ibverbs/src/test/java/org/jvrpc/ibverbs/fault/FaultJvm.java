package org.jvrpc.ibverbs.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM that runs {@link FaultMain}, so that a crash is seen and told from an end by exception. It says what it
 * does by lines, and ends when its standard input does.
 */
final class FaultJvm implements AutoCloseable {

    private static final String END = "end of output";

    private final Process process;
    private final Path crashLog;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();

    private FaultJvm(Process process, Path crashLog) {
        this.process = process;
        this.crashLog = crashLog;
        Thread reader = new Thread(this::read, "child-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static FaultJvm start(String... arguments) {
        try {
            Path log = Files.createTempFile("jvrpc-hs_err", ".log");
            Files.delete(log);
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
                    "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:ErrorFile=" + log,
                    "-cp", System.getProperty("java.class.path"), FaultMain.class.getName()));
            command.addAll(Arrays.asList(arguments));
            return new FaultJvm(new ProcessBuilder(command).redirectErrorStream(true).start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("reading: " + e);
        }
        lines.add(END);
    }

    /** Waits for a line that begins with a word, at most so many seconds, and returns the rest of it. */
    String expect(String word, int seconds) {
        try {
            long startNs = System.nanoTime();
            String line = "";
            while (line != null && !line.equals(END)) {
                long leftNs = seconds * 1_000_000_000L - (System.nanoTime() - startNs);
                line = lines.poll(Math.max(0, leftNs), TimeUnit.NANOSECONDS);
                seen.add(line);
                if (line != null && line.startsWith(word)) {
                    return line.substring(word.length()).trim();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("the child did not say " + word + " within seconds=" + seconds + " but "
                + last() + ", alive=" + process.isAlive() + crash());
    }

    private List<String> last() {
        return seen.subList(Math.max(0, seen.size() - 40), seen.size());
    }

    private String crash() {
        try {
            return Files.exists(crashLog) ? ", it crashed:\n" + String.join("\n",
                    Files.readAllLines(crashLog).stream().limit(60).toList()) : "";
        } catch (IOException e) {
            return ", " + e;
        }
    }

    /** Waits for its end by itself. @throws AssertionError when it does not end in time, or not by exit status 0 */
    void expectEnd(int seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new AssertionError("the child did not end within seconds=" + seconds + ", it said " + last());
            }
            while (!seen.contains(END)) {
                seen.add(lines.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (process.exitValue() != 0 || Files.exists(crashLog)) {
            throw new AssertionError("the child ended with exit=" + process.exitValue() + ", it said " + last()
                    + crash());
        }
    }

    @Override
    public String toString() {
        return "process " + pid() + " said " + last();
    }

    /** Forgets the lines that came so far. */
    void forget() {
        lines.clear();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** SIGKILL; does not wait. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new AssertionError("process " + pid() + " survives SIGKILL");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
