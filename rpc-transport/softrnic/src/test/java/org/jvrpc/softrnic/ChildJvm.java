package org.jvrpc.softrnic;

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

/**
 * Another process that runs {@link PeerMain}. It says what it does by lines on its standard output and ends when its
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
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-Xmx128m", "-cp", System.getProperty("java.class.path"),
                "-Djvrpc.shm.dir=" + ShmUnderTest.FOLDER, PeerMain.class.getName()));
        command.addAll(List.of(arguments));
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
    }

    /** Waits for a line that begins with a word, and returns the rest of it. */
    String expect(String word) {
        try {
            for (String line = lines.poll(SECONDS, TimeUnit.SECONDS); line != null;
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

    long pid() {
        return process.pid();
    }

    /** SIGKILL, and waits until the process is gone. */
    void kill() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("child survives SIGKILL");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Sends a signal by name: STOP or CONT. A stop is waited for: each thread stops when the kernel gets to it. */
    void signal(String name) {
        send(name);
        long startNs = System.nanoTime();
        while (name.equals("STOP") && !isStopped()) {
            if (System.nanoTime() - startNs > 20_000_000_000L) {
                throw new AssertionError("process " + pid() + " did not stop");
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

    private void send(String name) {
        try {
            int status = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
            if (status != 0) {
                throw new AssertionError("kill -" + name + " ended with " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
