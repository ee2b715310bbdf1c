package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.testing.ChildJvm;

/** What a server's log has of handlers that throw as often as a client likes. */
class HandlerLogTest {

    private static final int CALLS = 2000;
    /** Two stacks, and a line in ten seconds for each of two methods while the calls take a minute. */
    private static final int MOST_WARNINGS = 2 + 2 * 6;

    @Test
    void aClientCannotFillTheLog() {
        String address = ShmFolder.address();
        try (ChildJvm server = ChildMain.command("server", address)
                .property("org.slf4j.simpleLogger.defaultLogLevel", "warn").errorsApart().start()) {
            server.expect("READY");
            try (RpcClient client = RpcClient.connect(address)) {
                Calls calls = client.stub(Calls.class);
                for (int i = 0; i < CALLS; i++) {
                    RpcException e = assertThrows(RpcException.class, () -> calls.fail("unchecked"));
                    assertEquals(Status.UNKNOWN, e.status(), e.getMessage());
                    assertThrows(RpcException.class, () -> calls.failHeavy("unchecked"));
                }
            }
            Await.until("the log", () -> count(server.errors(), "java.lang.IllegalStateException: boom") >= 2);
            List<String> lines = server.errors();
            assertEquals(2, count(lines, "java.lang.IllegalStateException: boom"),
                    "stacks in the log, one of each method; lines=" + lines.size());
            long warnings = lines.stream().filter(line -> line.contains("WARN")).count();
            assertTrue(warnings >= 2 && warnings <= MOST_WARNINGS, "warnings=" + warnings + " lines=" + lines.size());
            assertTrue(lines.stream().anyMatch(line -> line.contains("Calls/fail: handler threw")), "" + lines);
        }
    }

    private static long count(List<String> lines, String begin) {
        return List.copyOf(lines).stream().filter(line -> line.startsWith(begin)).count();
    }
}
