package org.jvrpc.tools.router;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jvrpc.testing.Waits;
import org.jvrpc.tools.Jvrpc;

/** A router in a process of its own. One thread. */
final class RouterProcess implements AutoCloseable {

    private static final List<String> FLAGS = List.of("-XX:-CreateCoredumpOnCrash", "-XX:+DisableAttachMechanism");

    private final Path said;
    private final Process process;

    private RouterProcess(Path said, Process process) {
        this.said = said;
        this.process = process;
    }

    /** Starts one as the script does. @param said where what it says is kept */
    static RouterProcess start(Path said, String... arguments) throws IOException {
        return start(said, "ulimit -c 0; ", FLAGS, arguments);
    }

    static RouterProcess start(Path said, String before, List<String> flags, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of("sh", "-c", before + "umask 077; exec \"$0\" \"$@\"",
                ProcessHandle.current().info().command().orElseThrow(), "-XX:TieredStopAtLevel=1"));
        words.addAll(flags);
        words.addAll(List.of(Jvrpc.class.getName(), "router", "run", "--allow-root"));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(said.toFile());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return new RouterProcess(said, builder.start());
    }

    static void assumeEnoughDescriptors() throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(one -> one.startsWith("Max open files")).findAny().orElseThrow();
        String hard = line.strip().split("\\s+")[4];
        assumeTrue(hard.equals("unlimited") || Long.parseLong(hard) >= StartChecks.LEAST_DESCRIPTORS,
                "this user may not have descriptors=" + StartChecks.LEAST_DESCRIPTORS);
    }

    long pid() {
        return process.pid();
    }

    String said() {
        try {
            return Files.readString(said);
        } catch (IOException e) {
            return e.toString();
        }
    }

    void awaitServing() {
        Waits.until("the router to serve", () -> said().contains(" serves ") || !process.isAlive(), this::said);
        assertTrue(process.isAlive(), this::said);
    }

    /** Asks it to end. */
    void terminate() {
        process.destroy();
    }

    /** Returns its exit code. */
    int awaitEnd() throws InterruptedException {
        assertTrue(process.waitFor(Waits.limitNs(), TimeUnit.NANOSECONDS), () -> "it does not end: " + said());
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
