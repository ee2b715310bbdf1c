package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageServer;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.ConnectionException;

/** Threads that poll one message client in turns, and a server that moves to another address. */
class MessageTurnsTest {

    private static final long BOUND_NS = Waits.limitNs();

    private final String address = ShmFolder.address();
    private final AtomicInteger frames = new AtomicInteger();

    private MessageServer serve(Duration spin) {
        return MessageServer.builder().bind(address).spin(spin)
                .handler(() -> (session, frame) -> session.send(frame))
                .start();
    }

    private MessageClient connect(String to) {
        return MessageClient.builder(to, (session, frame) -> frames.incrementAndGet()).connect();
    }

    @Test
    void aThreadSleepsWhileAnotherPollsAndIsWokenOnceItMayBe() throws Exception {
        try (MessageServer server = serve(Duration.ofNanos(50_000)); MessageClient client = connect(address)) {
            ReentrantLock turn = new ReentrantLock();
            AtomicInteger wakes = new AtomicInteger();
            client.poll();
            Thread sleeper = new Thread(() -> {
                client.await(BOUND_NS);
                wakes.incrementAndGet();
                turn.lock();
                client.poll();
                turn.unlock();
            });
            sleeper.start();
            for (int i = 1; i <= 200; i++) {
                int expected = i;
                client.send(ByteBuffer.allocate(8));
                turn.lock();
                Waits.until("the answer comes", () -> client.poll() >= 0 && frames.get() == expected);
                turn.unlock();
            }
            assertEquals(0, wakes.get(), "what was not armed woke the sleeper");
            turn.lock();
            client.arm();
            client.poll();
            turn.unlock();
            client.send(ByteBuffer.allocate(8));
            Waits.until("the sleeper takes the answer", () -> frames.get() == 201);
            sleeper.join(BOUND_NS / 1_000_000);
            assertEquals(1, wakes.get());
            assertEquals(address, server.address());
        }
    }

    @Test
    void aServerThatMovesKeepsItsSessionsAndGivesItsAddressFree() {
        String other = address + "-other";
        try (MessageServer server = serve(Duration.ZERO); MessageClient client = connect(address)) {
            client.poll();
            server.rebind(other);
            assertThrows(ConnectionException.class, () -> connect(address));
            client.send(ByteBuffer.allocate(8));
            Waits.until("the session goes on", () -> client.poll(1_000_000) >= 0 && frames.get() == 1);
            try (MessageServer second = serve(Duration.ofNanos(1)); MessageClient there = connect(other)) {
                there.poll();
                there.send(ByteBuffer.allocate(8));
                Waits.until("new sessions at the new address",
                        () -> there.poll(1_000_000) >= 0 && frames.get() == 2);
                assertEquals(address, second.address());
            }
            server.unbind();
            server.unbind();
            assertNull(server.address());
            assertThrows(ConnectionException.class, () -> connect(other));
            client.send(ByteBuffer.allocate(8));
            Waits.until("the session goes on", () -> client.poll(1_000_000) >= 0 && frames.get() == 3);
            assertTrue(client.session().isOpen());
        }
    }
}
