package org.jvrpc.ibverbs.rxe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.ibverbs.NeedsRdmaDevice;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.verbs.contract.Deadline;

/** A message to and fro between two devices: what it costs besides time. */
@NeedsRdmaDevice
final class RxePingPongTest {

    private static final int WARM_UP = 1_000;
    private static final int ROUNDS = 2_500;
    private static final int TRACED = 200;
    private static final int SECONDS = 60;

    /** Calls that the JVM itself makes now and then on any thread; the clock is that of the test's time limits. */
    private static final List<String> OF_THE_JVM = List.of("futex", "madvise", "mprotect", "mmap", "munmap",
            "sched_yield", "rt_sigprocmask", "rt_sigreturn", "clock_gettime");

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "inline={0}")
    @ValueSource(booleans = {false, true})
    void thousandsOfSendsAndReceivesAllocateNothingAndWriteOnceASend(boolean inline) throws Exception {
        try (Player left = new Player(0, inline); Player right = new Player(1, inline)) {
            Player.connect(left, right);
            Player.play(left, right, WARM_UP);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long id = Thread.currentThread().getId();
            threads.getThreadAllocatedBytes(id);
            long writes = writes();
            long bytes = threads.getThreadAllocatedBytes(id);
            Player.play(left, right, ROUNDS);
            bytes = threads.getThreadAllocatedBytes(id) - bytes;
            writes = writes() - writes;
            assertTrue(bytes < ROUNDS / 10, "allocated bytes=" + bytes + " sends=" + 2 * ROUNDS);
            assertEquals(2 * ROUNDS, writes, "a doorbell is one write, and nothing else writes");
        }
    }

    /** Returns how often this thread wrote to a file. */
    private static long writes() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/thread-self/io"))) {
            if (line.startsWith("syscw: ")) {
                return Long.parseLong(line.substring(7));
            }
        }
        throw new AssertionError("/proc/thread-self/io has no syscw");
    }

    @Test
    void straceSeesNoSystemCallButTheDoorbell() throws Exception {
        assumeTrue(new File("/usr/bin/strace").canExecute(), "this machine has no strace");
        assumeTrue(mayTrace(), "only root may trace here: /proc/sys/kernel/yama/ptrace_scope");
        Path number = folder.resolve("thread");
        Path trace = folder.resolve("trace");
        try (ChildJvm java = JavaCommand.of(TraceMain.class).option("-Xint")
                .arguments(Integer.toString(TRACED), number.toString()).start()) {
            Deadline deadline = Deadline.ofMillis(SECONDS * 1000L);
            while (!Files.exists(number) && java.isAlive()) {
                deadline.turn(() -> "warm-up");
            }
            assertTrue(Files.exists(number), java::toString);
            Process strace = start("strace", "strace", "-qq", "-o", trace.toString(), "-p", Files.readString(number));
            ended(strace, "strace");
            java.expectEnd();
        }
        Map<String, Integer> calls = callsBetweenMarks(Files.readAllLines(trace));
        assertEquals(2 * TRACED, calls.remove("write"), calls::toString);
        OF_THE_JVM.forEach(calls::remove);
        assertEquals(Map.of(), calls, "system calls between the marks, besides the doorbells and the JVM's own");
    }

    private static boolean mayTrace() throws IOException {
        Path scope = Path.of("/proc/sys/kernel/yama/ptrace_scope");
        return !Files.exists(scope) || Files.readString(scope).startsWith("0")
                || "root".equals(System.getProperty("user.name"));
    }

    private Process start(String name, String... command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(folder.resolve(name).toFile()).start();
    }

    private void ended(Process process, String name) throws Exception {
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(name + " did not end within seconds=" + SECONDS);
        }
        assertEquals(0, process.exitValue(), () -> name + ": " + read(folder.resolve(name)));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Counts the calls between the two marks. */
    private static Map<String, Integer> callsBetweenMarks(List<String> trace) {
        Pattern call = Pattern.compile("(\\w+)\\(.*");
        Map<String, Integer> counts = null;
        for (String line : trace) {
            Matcher matcher = call.matcher(line);
            if (line.contains(TraceMain.MARK)) {
                if (counts != null) {
                    return counts;
                }
                counts = new TreeMap<>();
            } else if (counts != null && matcher.matches()) {
                counts.merge(matcher.group(1), 1, Integer::sum);
            }
        }
        throw new AssertionError("no two marks in lines=" + trace.size());
    }
}
