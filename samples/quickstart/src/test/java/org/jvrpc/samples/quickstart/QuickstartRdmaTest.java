package org.jvrpc.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command over RDMA, as README says. */
@Tag("device")
final class QuickstartRdmaTest {

    private static final int PORT = 27_471;
    /** An emulated machine makes its first calls after some seconds. */
    private static final String SECONDS = "8";

    @TempDir
    private Path temp;

    @BeforeAll
    static void needsTwoDevices() {
        for (String device : new String[] {"rxe0", "rxe1"}) {
            assumeTrue(Files.exists(Path.of("/sys/class/infiniband", device)), "this machine has no RDMA device "
                    + device + "; mvn -Prdma-vm verify runs this test in a virtual machine that has");
        }
    }

    private Program start(String... arguments) throws Exception {
        return Program.start(temp.resolve("shm"), arguments);
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
    void serverAndClientOfTwoDevicesMeetAtAnAddress() throws Exception {
        String address = "rdma://10.9.0.1:" + PORT;
        try (Program server = start("server", "--address", address)) {
            String line = server.line();
            assertTrue(String.valueOf(line).startsWith("Serving Orders at " + address + ", "), () -> "line: " + line);
            try (Program client = start("client", "--address", address + "?from=10.9.0.2", "--seconds", SECONDS)) {
                String output = client.rest();
                assertEquals(0, client.exitCode(), () -> output);
                assertTable(output);
                assertEquals("", client.errors());
            }
            server.terminate();
            assertEquals(0, server.exitCode());
            assertTrue(server.rest().contains("The book took "));
        }
    }

    @Test
    void bothHalvesRunOnOneDevice() throws Exception {
        try (Program run = start("--address", "rdma://10.9.0.1:" + (PORT + 1), "--seconds", SECONDS)) {
            String output = run.rest();
            assertEquals(0, run.exitCode(), () -> output);
            assertTable(output);
            assertEquals("", run.errors());
        }
    }
}
