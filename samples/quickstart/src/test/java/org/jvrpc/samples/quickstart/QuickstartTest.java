package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Processes;
import org.jvrpc.testing.Waits;

/** The command as its users see it: in processes of its own. */
final class QuickstartTest {

    private static final Pattern PIDS = Pattern.compile("Server: process (\\d+) at .* Client: process (\\d+),.*");

    private static ChildJvm start(String... arguments) {
        return JavaCommand.of(Quickstart.class).errorsApart().arguments(arguments).start();
    }

    private static ProcessHandle serverOf(ChildJvm program) {
        String line = program.line();
        Matcher matcher = PIDS.matcher(String.valueOf(line));
        assertTrue(matcher.matches(), () -> "first line: " + line);
        return ProcessHandle.of(Long.parseLong(matcher.group(1))).orElseThrow();
    }

    private static void assertEnds(ProcessHandle process) {
        Waits.until("the end of process " + process.pid(), () -> !Processes.isRunning(process.pid()));
    }

    private static String rest(ChildJvm program) {
        StringBuilder text = new StringBuilder();
        for (String line = program.line(); line != null; line = program.line()) {
            text.append(line).append('\n');
        }
        return text.toString();
    }

    private static String errors(ChildJvm program) {
        return String.join("\n", program.errors());
    }

    @Test
    void aRunPrintsATableEndsWithZeroAndLeavesNoProcess() {
        try (ChildJvm run = start("--seconds", "1")) {
            ProcessHandle server = serverOf(run);
            String output = rest(run);

            assertEquals(0, run.exitStatus(), () -> output);
            assertEquals("", errors(run));
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
    void anInterruptPrintsTheTableAndLeavesNoProcess() {
        try (ChildJvm run = start("--seconds", "600")) {
            ProcessHandle server = serverOf(run);
            run.line();
            run.terminate();
            String output = rest(run);

            assertNotEquals(0, run.exitStatus());
            assertEnds(server);
            assertTrue(output.contains("Every answer was checked, none was wrong."), output);
        }
    }

    @Test
    void theServerEndsWhenItsClientIsKilled() {
        try (ChildJvm run = start("--seconds", "600")) {
            ProcessHandle server = serverOf(run);
            run.kill();

            assertEnds(server);
        }
    }

    @Test
    void aServerThatIsKilledEndsTheRunWithOne() {
        try (ChildJvm run = start("--seconds", "600")) {
            ProcessHandle server = serverOf(run);
            run.line();
            server.destroyForcibly();
            String output = rest(run);

            assertEquals(1, run.exitStatus(), () -> output);
            assertTrue(errors(run).contains(" ended, exit code 137"), errors(run));
        }
    }

    @Test
    void aClientGoesOnWhenItsServerIsStartedAnew() {
        try (ChildJvm first = start("server")) {
            first.line();
            try (ChildJvm client = start("client", "--seconds", "600")) {
                client.line();
                first.kill();
                awaitLine(client, "no connection");
                try (ChildJvm second = start("server")) {
                    second.line();
                    awaitLine(client, "errors [0-9,]+$");
                    client.terminate();
                    String output = rest(client);
                    assertTrue(output.contains("UNAVAILABLE"), output);
                    assertTrue(output.contains("none was wrong"), output);
                    second.terminate();
                    assertEquals(0, second.exitStatus());
                    assertTrue(rest(second).contains("The book took "));
                }
            }
        }
    }

    private static void awaitLine(ChildJvm program, String pattern) {
        Pattern wanted = Pattern.compile(pattern);
        String line = program.line();
        while (line != null && !wanted.matcher(line).find()) {
            line = program.line();
        }
        assertTrue(line != null, () -> "no line with " + pattern);
    }

    @Test
    void aClientWithoutServerAndASecondServerSayWhatIsWrong() {
        try (ChildJvm client = start("client")) {
            assertEquals(1, client.exitStatus());
            assertTrue(errors(client).contains("\nStart a server in another terminal: "), errors(client));
        }
        try (ChildJvm first = start("server")) {
            first.line();
            try (ChildJvm second = start("server")) {
                assertEquals(1, second.exitStatus());
                assertTrue(errors(second).startsWith("quickstart: "), errors(second));
                assertEquals(1, errors(second).lines().count(), errors(second));
            }
        }
    }

    @Test
    void anAddressThatIsNoneIsAWrongArgument() {
        for (List<String> arguments : List.of(
                List.of("--address", "orders"),
                List.of("server", "--address", "shm://a b"),
                List.of("client", "--address", "shm://"))) {
            try (ChildJvm run = start(arguments.toArray(String[]::new))) {
                assertEquals(2, run.exitStatus(), errors(run));
                assertEquals(1, errors(run).lines().count(), errors(run));
            }
        }
    }
}
