package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;

/** The command over a network, as README says. */
abstract class QuickstartNetworkContract {

    /** Returns an address at which nobody listens. */
    abstract String newAddress();

    /** Returns a server's address as its client has it. */
    abstract String fromClient(String address);

    /** Returns for how many seconds clients call. */
    abstract int seconds();

    static ChildJvm start(String... arguments) {
        return JavaCommand.of(Quickstart.class).errorsApart().arguments(arguments).start();
    }

    private static String end(ChildJvm program) {
        program.expectEnd();
        return String.join("\n", program.output());
    }

    private static void assertTable(String output) {
        System.out.println(output);
        for (Call call : Call.values()) {
            assertTrue(Pattern.compile("(?m)^" + call.label() + " +[0-9].* 0$").matcher(output).find(), output);
        }
        assertTrue(Pattern.compile("(?m)^place +[1-9]").matcher(output).find(), output);
        assertTrue(output.contains("Every answer was checked, none was wrong."), output);
    }

    @Test
    void serverAndClientMeetAtAnAddress() {
        String address = newAddress();
        try (ChildJvm server = start("server", "--address", address)) {
            String line = server.line();
            assertTrue(String.valueOf(line).startsWith("Serving Orders at " + address + ", "), () -> "line: " + line);
            try (ChildJvm client =
                    start("client", "--address", fromClient(address), "--seconds", Integer.toString(seconds()))) {
                assertTable(end(client));
                assertEquals(List.of(), client.errors());
            }
            server.terminate();
            assertTrue(end(server).contains("The book took "));
        }
    }

    @Test
    void bothHalvesRunAtAnAddress() {
        try (ChildJvm run = start("--address", newAddress(), "--seconds", Integer.toString(seconds()))) {
            assertTable(end(run));
            assertEquals(List.of(), run.errors());
        }
    }
}
