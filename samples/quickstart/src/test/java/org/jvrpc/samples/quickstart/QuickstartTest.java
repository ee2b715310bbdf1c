package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as its users see it: in processes of its own. */
final class QuickstartTest {

    private static final Pattern PIDS = Pattern.compile("Server: process (\\d+) at .* Client: process (\\d+),.*");

    @TempDir
    private Path temp;

    private Program start(String... arguments) throws IOException {
        return Program.start(temp.resolve("shm"), arguments);
    }

    private static ProcessHandle serverOf(Program program) throws Exception {
        String line = program.line();
        Matcher matcher = PIDS.matcher(String.valueOf(line));
        assertTrue(matcher.matches(), () -> "first line: " + line);
        return ProcessHandle.of(Long.parseLong(matcher.group(1))).orElseThrow();
    }

    private static void assertEnds(ProcessHandle process) throws Exception {
        process.onExit().get(30, TimeUnit.SECONDS);
    }

    @Test
    void aRunPrintsATableEndsWithZeroAndLeavesNoProcess() throws Exception {
        try (Program run = start("--seconds", "1")) {
            ProcessHandle server = serverOf(run);
            String output = run.rest();

            assertEquals(0, run.exitCode(), () -> output);
            assertEquals("", run.errors());
            assertEnds(server);
            assertTrue(output.contains("calls/s"), output);
            for (Call call : Call.values()) {
                assertTrue(Pattern.compile("(?m)^" + call.label() + " +[0-9].* 0$").matcher(output).find(), output);
            }
            assertTrue(Pattern.compile("(?m)^place +[1-9]").matcher(output).find(), output);
            assertTrue(output.contains("Every answer was checked, none was wrong."), output);
        }
    }

    @Test
    void anInterruptPrintsTheTableAndLeavesNoProcess() throws Exception {
        try (Program run = start("--seconds", "600")) {
            ProcessHandle server = serverOf(run);
            run.line();
            run.terminate();
            String output = run.rest();

            assertNotEquals(0, run.exitCode());
            assertEnds(server);
            assertTrue(output.contains("Every answer was checked, none was wrong."), output);
        }
    }

    @Test
    void theServerEndsWhenItsClientIsKilled() throws Exception {
        try (Program run = start("--seconds", "600")) {
            ProcessHandle server = serverOf(run);
            run.kill();

            assertEnds(server);
        }
    }

    @Test
    void aServerThatIsKilledEndsTheRunWithOne() throws Exception {
        try (Program run = start("--seconds", "600")) {
            ProcessHandle server = serverOf(run);
            run.line();
            server.destroyForcibly();
            String output = run.rest();

            assertEquals(1, run.exitCode(), () -> output);
            assertTrue(run.errors().contains(" ended, exit code 137"), run.errors());
        }
    }

    @Test
    void aClientGoesOnWhenItsServerIsStartedAnew() throws Exception {
        try (Program first = start("server")) {
            first.line();
            try (Program client = start("client", "--seconds", "600")) {
                client.line();
                first.kill();
                awaitLine(client, "no connection");
                try (Program second = start("server")) {
                    second.line();
                    awaitLine(client, "errors [0-9,]+$");
                    client.terminate();
                    String output = client.rest();
                    assertTrue(output.contains("UNAVAILABLE"), output);
                    assertTrue(output.contains("none was wrong"), output);
                    second.terminate();
                    assertEquals(0, second.exitCode());
                    assertTrue(second.rest().contains("The book took "));
                }
            }
        }
    }

    private static void awaitLine(Program program, String pattern) throws Exception {
        Pattern wanted = Pattern.compile(pattern);
        String line = program.line();
        while (line != null && !wanted.matcher(line).find()) {
            line = program.line();
        }
        assertTrue(line != null, () -> "no line with " + pattern);
    }

    @Test
    void aClientWithoutServerAndASecondServerSayWhatIsWrong() throws Exception {
        try (Program client = start("client")) {
            assertEquals(1, client.exitCode());
            assertTrue(client.errors().contains("\nStart a server in another terminal: "), client.errors());
        }
        try (Program first = start("server")) {
            first.line();
            try (Program second = start("server")) {
                assertEquals(1, second.exitCode());
                assertTrue(second.errors().startsWith("quickstart: "), second.errors());
                assertEquals(1, second.errors().lines().count(), second.errors());
            }
        }
    }

    @Test
    void anAddressThatIsNoneIsAWrongArgument() throws Exception {
        for (List<String> arguments : List.of(
                List.of("--address", "orders"),
                List.of("server", "--address", "shm://a b"),
                List.of("client", "--address", "shm://"))) {
            try (Program run = start(arguments.toArray(String[]::new))) {
                assertEquals(2, run.exitCode(), run.errors());
                assertEquals(1, run.errors().lines().count(), run.errors());
            }
        }
    }
}
