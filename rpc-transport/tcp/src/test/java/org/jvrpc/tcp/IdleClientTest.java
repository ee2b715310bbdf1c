package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testing.Waits;

/** Clients that call nothing. */
class IdleClientTest {

    private static final Duration KEEP_ALIVE = Duration.ofSeconds(1);

    @TempDir
    private Path folder;

    private String address(String scheme) {
        return scheme.equals("tcp") ? "tcp://127.0.0.1:0" : "unix://" + folder.resolve("s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void aClientThatNeverCalledSeesTheEndOfItsServer(String scheme) {
        RpcServer server = RpcServer.builder().bind(address(scheme)).service(Adder.class, Integer::sum).start();
        try (RpcClient client = RpcClient.builder(server.address()).reconnect(false).connect()) {
            server.close();
            Waits.until("the client to see it", () -> !client.isConnected());
        }
    }

    @Test
    void aClientThatNeverCalledGivesSignsOfLife() {
        AtomicInteger ends = new AtomicInteger();
        long startNs = System.nanoTime();
        try (RpcServer server = RpcServer.builder().bind(address("unix")).keepAlive(KEEP_ALIVE)
                .onSessionEnd(id -> ends.incrementAndGet()).service(Adder.class, Integer::sum).start();
                RpcClient client = RpcClient.connect(server.address())) {
            Waits.until("some times of the keep-alive",
                    () -> ends.get() > 0 || System.nanoTime() - startNs > 4 * KEEP_ALIVE.toNanos());
            assertEquals(0, ends.get());
            assertEquals(5, client.stub(Adder.class).add(2, 3));
        }
    }
}
