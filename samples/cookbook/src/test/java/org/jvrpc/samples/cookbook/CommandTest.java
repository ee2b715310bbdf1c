package org.jvrpc.samples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.samples.cookbook.watching.SelfDescription;
import org.jvrpc.tools.Jvrpc;

/** The command jvrpc calls a service of the cookbook, of which it has no code. */
final class CommandTest {

    private static final String ADDRESS = "shm://cookbook-command-" + ProcessHandle.current().pid();

    private static RpcServer server;

    @BeforeAll
    static void serve() {
        server = SelfDescription.serve(ADDRESS);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void listNamesServices() throws Exception {
        assertEquals(List.of("org.acme.Orders"),
                jvrpc("list", ADDRESS).stream().filter(line -> !line.startsWith("org.jvrpc")).toList());
    }

    @Test
    void callTakesAndPrintsJson() throws Exception {
        assertEquals(List.of("{\"id\":42,\"symbol\":\"ABC\",\"side\":\"BUY\"}"),
                jvrpc("call", ADDRESS, "org.acme.Orders/find", "42"));
        assertEquals(List.of("8"), jvrpc("call", ADDRESS, "org.acme.Orders/place",
                "{\"id\":7,\"symbol\":\"XYZ\",\"side\":\"SELL\"}"));
    }

    @Test
    void healthSaysWhetherItServes() throws Exception {
        assertEquals(List.of("SERVING"), jvrpc("health", ADDRESS));
    }

    private static List<String> jvrpc(String... arguments) throws Exception {
        return Printed.by(args -> assertEquals(0, Jvrpc.run(args)), arguments);
    }
}
