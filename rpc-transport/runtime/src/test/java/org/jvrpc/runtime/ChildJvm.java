package org.jvrpc.runtime;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jvrpc.offload.hull.Hull;

/**
 * Another process that runs {@link ChildMain}. It says what it does by lines on its standard output and ends when its
 * standard input does, so that it never outlives the tests.
 */
final class ChildJvm implements AutoCloseable {

    private static final int SECONDS = 60;

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();

    private ChildJvm(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "child-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static ChildJvm start(String... arguments) {
        return startIn(ShmFolder.PATH, "-Xmx256m", arguments);
    }

    /** Starts a hull whose application is {@link ChildMain}. */
    static ChildJvm startInHull(String hullAddress, String... arguments) {
        List<String> command = java(ShmFolder.PATH, "-Xmx64m", Hull.class);
        command.addAll(List.of("--address", hullAddress, "--bytes", "1m", "--quick-ms", "0", "--"));
        command.addAll(java(ShmFolder.PATH, "-Xmx256m", ChildMain.class));
        command.addAll(List.of(arguments));
        return start(command);
    }

    static ChildJvm startIn(Path folder, String heap, String... arguments) {
        List<String> command = java(folder, heap, ChildMain.class);
        command.addAll(List.of(arguments));
        return start(command);
    }

    /** Starts by a command that runs another in its stead. */
    static ChildJvm startWith(List<String> command, String... arguments) {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(java(ShmFolder.PATH, "-Xmx256m", ChildMain.class));
        whole.addAll(List.of(arguments));
        return start(whole);
    }

    private static List<String> java(Path folder, String heap, Class<?> main) {
        return new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", heap, "-cp", System.getProperty("java.class.path"),
                "-D" + ShmFolder.PROPERTY + "=" + folder, main.getName()));
    }

    private static ChildJvm start(List<String> command) {
        try {
            return new ChildJvm(new ProcessBuilder(command).redirectErrorStream(true).start());
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
            lines.add("end of output: " + e);
        }
        lines.add("end of output");
    }

    /** Waits for a line that begins with a word, and returns the rest of it. */
    String expect(String word) {
        try {
            for (String line = lines.poll(SECONDS, TimeUnit.SECONDS); line != null && !line.equals("end of output");
                    line = lines.poll(SECONDS, TimeUnit.SECONDS)) {
                seen.add(line);
                if (line.startsWith(word)) {
                    return line.substring(word.length()).trim();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("child did not say " + word + " but " + seen + ", alive=" + process.isAlive());
    }

    /** Forgets the lines that came so far. */
    void forget() {
        lines.clear();
    }

    long pid() {
        return process.pid();
    }

    /** SIGKILL; does not wait. */
    void kill() {
        process.destroyForcibly();
    }

    /** Sends a signal by name: STOP or CONT. A stop is waited for: each thread stops when the kernel gets to it. */
    void signal(String name) {
        run("kill", "-" + name, Long.toString(pid()));
        long startNs = System.nanoTime();
        while (name.equals("STOP") && !isStopped()) {
            if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(SECONDS)) {
                throw new AssertionError("process " + pid() + " did not stop in seconds=" + SECONDS);
            }
            Thread.yield();
        }
    }

    private boolean isStopped() {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid() + "/task"))) {
            for (Path thread : threads) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false; // a thread ended meanwhile
        }
    }

    /** Runs a command of the system and returns its exit status. */
    static int run(String... command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            return process.waitFor(SECONDS, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } catch (IOException e) {
            return -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        kill();
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("child survives SIGKILL");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
