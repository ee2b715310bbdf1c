package org.jvrpc.samples.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.testing.Waits;

/** The script, from outside. */
class ContainersTest {

    private static final int MAY_NOT = 3;

    @TempDir
    private Path folder;
    private final String mark = "JVRPC_CONTAINERS_MARK=" + UUID.randomUUID();
    private Process script;

    private void start(String... arguments) throws IOException {
        List<String> command = Stream.concat(Stream.of(Path.of("run").toAbsolutePath().toString()),
                Stream.of(arguments)).toList();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
        builder.environment().put("JVRPC_CONTAINERS_CLASSPATH", System.getProperty("java.class.path"));
        builder.environment().put("JVRPC_CONTAINERS_JVM", "-XX:TieredStopAtLevel=1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put(mark.split("=")[0], mark.split("=")[1]);
        script = builder.start();
    }

    @AfterEach
    void stop() {
        if (script != null) {
            script.destroyForcibly();
        }
    }

    private String said() {
        try {
            return Files.readString(folder.resolve("said"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private int await() throws InterruptedException {
        assertTrue(script.waitFor(Waits.limitNs(), TimeUnit.NANOSECONDS), () -> "it does not end: " + said());
        assumeFalse(script.exitValue() == MAY_NOT, this::said);
        return script.exitValue();
    }

    /** Counts processes of the script, by what they have in their environments. */
    private long count() {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(isMarked()).count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Predicate<Path> isMarked() {
        return process -> {
            try {
                return new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.ISO_8859_1)
                        .contains(mark);
            } catch (IOException e) {
                return false; // no process, another user's, or gone since
            }
        };
    }

    @Test
    void tenantsCallEachOtherBehindWallsAndAStrangerIsRefused() throws Exception {
        start("--seconds", "1");
        assertEquals(0, await(), this::said);
        List<String> lines = said().lines().toList();
        assertTrue(lines.contains("containers: a tenant is root and process 1 in its container, has 1 network link"
                + " (lo), and its own folder alone"), this::said);
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("containers: stranger: POLICY: tenant=stranger may"
                + " not reach tenant=orders port=7000")), this::said);
        for (String caller : List.of("trader", "reader")) {
            assertTrue(lines.stream().anyMatch(line -> line.matches(caller + " +h1 +10\\.77\\.0\\.\\d +\\d+"
                    + " +[1-9][0-9.,]*( k)? +[0-9.]+ [mun]?s +[0-9.]+ [mun]?s +[1-9]\\d+ +0")),
                    () -> caller + ": " + said());
        }
        assertTrue(lines.stream().anyMatch(line -> line.matches("stranger +h1 .* 0 +1")), this::said);
        for (String way : List.of("one-sided", "offload")) { // gets that took no processor of the store's tenant
            assertTrue(lines.stream().anyMatch(line -> line.matches("containers: reader, " + way
                    + ": \\d+, p50 .* answered direct=[1-9].*")), () -> way + ": " + said());
        }
    }

    @Test
    void nothingIsLeftOfIt() throws Exception {
        start("--seconds", "600");
        Waits.until("a router and containers", () -> count() > 7 || !script.isAlive(), this::said);
        if (!script.isAlive()) {
            assertEquals(0, await(), this::said);
        }
        script.destroyForcibly();
        Waits.until("all its processes to be gone", () -> count() == 0, this::count);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--seconds 0            | --seconds '0' is not 1 to 600",
        "--seconds              | --seconds lacks its value",
        "--hosts 3              | --hosts '3' is not 1 or 2",
        "--below tcp            | --below 'tcp' is not roce or rdma",
        "--move --hosts 1       | --move needs two hosts, not --hosts 1",
        "--hosts 1 --below rdma | --below needs two hosts, not --hosts 1",
        "--quick                | unknown here: --quick"})
    void wrongArgumentsAreRefused(String arguments, String why) throws Exception {
        start(arguments.split(" "));
        assertEquals(2, await(), this::said);
        assertTrue(said().contains(why), this::said);
    }
}
