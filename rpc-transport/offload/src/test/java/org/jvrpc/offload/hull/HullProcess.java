package org.jvrpc.offload.hull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A hull in a process of its own, with its application. What both say are lines. */
final class HullProcess implements AutoCloseable {

    static final long BOUND_NS = 60_000_000_000L;
    private static final String PROPERTY = "jvrpc.shm.dir";
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String END = "end of output";

    final String address = freshAddress();
    final Path control = folder().resolve(address.substring(6) + ".control");
    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();

    private HullProcess(List<String> options, List<String> command) {
        List<String> all = java(Hull.class);
        all.addAll(List.of("--address", address, "--bytes", "1m", "--control", control.toString()));
        all.addAll(options);
        all.add("--");
        all.addAll(command);
        try {
            process = new ProcessBuilder(all).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread reader = new Thread(this::read, "hull-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a hull whose application is {@link HullApp}. */
    static HullProcess of(String mode, String... options) {
        List<String> command = java(HullApp.class);
        command.add(mode);
        return new HullProcess(List.of(options), command);
    }

    /** Starts a hull with any command. */
    static HullProcess ofCommand(List<String> command, String... options) {
        return new HullProcess(List.of(options), command);
    }

    /** Starts {@link HullApp} without a hull. */
    static Process start(String... args) throws IOException {
        List<String> command = java(HullApp.class);
        command.addAll(List.of(args));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static List<String> java(Class<?> main) {
        return new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp", System.getProperty("java.class.path"),
                "-D" + PROPERTY + "=" + folder(), main.getName()));
    }

    static String freshAddress() {
        return "shm://hull-" + ProcessHandle.current().pid() + "-" + NAMES.incrementAndGet();
    }

    /** Returns the folder of this test run's devices. */
    static synchronized Path folder() {
        String chosen = System.getProperty(PROPERTY);
        if (chosen != null) {
            return Path.of(chosen);
        }
        try {
            Path shm = Path.of("/dev/shm");
            Path folder = Files.isDirectory(shm)
                    ? Files.createTempDirectory(shm, "jvrpc-test-") : Files.createTempDirectory("jvrpc-test-");
            System.setProperty(PROPERTY, folder.toString());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteAll(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteAll(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            System.err.println("left behind: " + folder + ": " + e);
        }
    }

    private void read() {
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add(e.toString());
        }
        lines.add(END);
    }

    /** Waits for a line that begins so, and returns the rest of it. */
    String expect(String begin) {
        try {
            for (String line = lines.poll(BOUND_NS, TimeUnit.NANOSECONDS); line != null && !line.equals(END);
                    line = lines.poll(BOUND_NS, TimeUnit.NANOSECONDS)) {
                seen.add(line);
                if (line.startsWith(begin)) {
                    return line.substring(begin.length()).trim();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("nobody said: " + begin + "; said was " + seen + ", alive=" + process.isAlive());
    }

    /** Waits for the hull's end and returns its exit status. */
    int end() {
        try {
            if (process.waitFor(BOUND_NS, TimeUnit.NANOSECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("the hull does not end; said was " + seen);
    }

    long pid() {
        return process.pid();
    }

    /** SIGTERM. */
    void terminate() {
        process.toHandle().destroy(); // the process itself would close its streams
    }

    /** SIGKILL. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Sends a signal by name. */
    void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).inheritIO().start().waitFor();
        if (status != 0) {
            throw new AssertionError("kill -" + name + " ends with status=" + status);
        }
    }

    /** Says a line to the application. */
    void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void kill(long pid) {
        ProcessHandle.of(pid).orElseThrow(() -> new AssertionError("no process " + pid)).destroyForcibly();
    }

    /** Returns false for a process that is gone, or a zombie. */
    static boolean isRunning(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return "ZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) < 0;
        } catch (IOException e) {
            return false;
        }
    }

    static void until(String what, BooleanSupplier condition) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNs > BOUND_NS) {
                throw new AssertionError("waited in vain for " + what);
            }
            Thread.onSpinWait();
        }
    }

    /** Kills what is left: the hull, and what runs as its child. */
    @Override
    public void close() {
        List<ProcessHandle> family = process.descendants().toList();
        kill();
        family.forEach(ProcessHandle::destroyForcibly);
        end();
    }
}
