package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class ArgumentsTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... arguments) {
        CommandLine commandLine = Quickstart.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(arguments);
    }

    private void refuses(String named, String... arguments) {
        assertEquals(2, execute(arguments));
        assertTrue(err.toString().contains(named), err::toString);
        assertTrue(err.toString().contains("run --help"), err::toString);
    }

    @Test
    void anUnknownOptionIsNamed() {
        refuses("--foo", "--foo");
    }

    @Test
    void anUnknownCommandIsNamed() {
        refuses("serve", "serve");
    }

    @Test
    void theServerHasNoSeconds() {
        refuses("--seconds", "server", "--seconds", "3");
    }

    @Test
    void anUnknownIdleStrategyIsToldThoseThatAre() {
        refuses("spin, back-off, block, adaptive", "--idle", "fast");
    }

    @Test
    void secondsAndThreadsHaveARange() {
        refuses("--seconds must be 1 to ", "--seconds", "0");
        refuses("--threads must be 1 to 32, not 33", "client", "--threads", "33");
        refuses("'x'", "--threads", "x");
    }

    @Test
    void anOptionWithoutItsValueIsNamed() {
        refuses("--address", "--address");
    }

    @Test
    void helpNamesEveryOptionAndCommand() {
        assertEquals(0, execute("client", "--help"));
        for (String word : new String[] {"--seconds", "--threads", "--address", "--idle", "run server", "run client"}) {
            assertTrue(out.toString().contains(word), word);
        }
    }
}
