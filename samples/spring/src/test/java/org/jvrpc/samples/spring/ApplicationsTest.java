package org.jvrpc.samples.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.samples.spring.client.ClientApplication;
import org.jvrpc.samples.spring.server.ServerApplication;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.SharedMemoryFolder;

/** Both applications, as the script runs them. */
class ApplicationsTest {

    @Test
    void theClientCallsAndEndsAndTheServerStaysUntilItIsToldToStop() {
        String address = SharedMemoryFolder.freshAddress();
        try (ChildJvm server = JavaCommand.of(ServerApplication.class)
                .arguments("--jvrpc.server.addresses=" + address).start()) {
            server.expect("server: serving at " + address);
            client(address);
            assertTrue(server.isAlive(), "nothing but its servers keeps the process");
            server.terminate();
            server.expect("server: stopped serving at " + address);
            assertEquals(143, server.exitStatus(), server::toString); // by SIGTERM
        }
    }

    private static void client(String address) {
        try (ChildJvm client = JavaCommand.of(ClientApplication.class).arguments(
                        "--jvrpc.clients.orders.address=" + address, "--shopper.time=300ms").start()) {
            assertEquals(0, client.exitStatus(), () -> String.join("\n", client.output()));
            String said = String.join("\n", client.output());
            assertTrue(said.contains("refused: an order needs pieces, pieces=0"), said);
            assertTrue(said.contains("the actuator says of the client: UP"), said);
        }
    }

    @Test
    void aClientWithoutAServerSaysWhatToDo() {
        try (ChildJvm client = JavaCommand.of(ClientApplication.class).arguments(
                "--jvrpc.clients.orders.address=" + SharedMemoryFolder.freshAddress(), "--shopper.time=300ms")
                .start()) {
            assertEquals(1, client.exitStatus(), () -> String.join("\n", client.output()));
            String said = String.join("\n", client.output());
            assertTrue(said.contains("APPLICATION FAILED TO START"), said);
            assertTrue(said.contains("mend jvrpc.clients.orders.address"), said);
        }
    }
}
