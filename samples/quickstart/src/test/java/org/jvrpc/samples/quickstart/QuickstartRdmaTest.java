package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;

/** The command over RDMA, as README says. */
@Tag("device")
final class QuickstartRdmaTest {

    private static final int PORT = 27_471;
    /** An emulated machine makes its first calls after some seconds. */
    private static final String SECONDS = "8";

    @BeforeAll
    static void needsTwoDevices() {
        for (String device : new String[] {"rxe0", "rxe1"}) {
            assumeTrue(Files.exists(Path.of("/sys/class/infiniband", device)), "this machine has no RDMA device "
                    + device + "; mvn -Prdma-vm verify runs this test in a virtual machine that has");
        }
    }

    private static ChildJvm start(String... arguments) {
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
    void serverAndClientOfTwoDevicesMeetAtAnAddress() {
        String address = "rdma://10.9.0.1:" + PORT;
        try (ChildJvm server = start("server", "--address", address)) {
            String line = server.line();
            assertTrue(String.valueOf(line).startsWith("Serving Orders at " + address + ", "), () -> "line: " + line);
            try (ChildJvm client = start("client", "--address", address + "?from=10.9.0.2", "--seconds", SECONDS)) {
                assertTable(end(client));
                assertEquals(List.of(), client.errors());
            }
            server.terminate();
            assertTrue(end(server).contains("The book took "));
        }
    }

    @Test
    void bothHalvesRunOnOneDevice() {
        try (ChildJvm run = start("--address", "rdma://10.9.0.1:" + (PORT + 1), "--seconds", SECONDS)) {
            assertTable(end(run));
            assertEquals(List.of(), run.errors());
        }
    }
}
