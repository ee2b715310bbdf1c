package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.Waits;

/** A client that brings its own thread: what its polls say, and what ends its waits. */
class MessageClientTest {

    private static final long LIMIT_NS = Waits.limitNs();

    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger frames = new AtomicInteger();
    private final MessageServer server = MessageServer.builder().bind(ShmFolder.address()).handler(() ->
            (session, frame) -> {
                session.send(frame);
                answered.incrementAndGet();
            }).start();
    private final MessageClient client = MessageClient.builder(server.address(),
            (session, frame) -> frames.incrementAndGet()).connect();

    @BeforeEach
    void begin() {
        Waits.until("the session to have begun", () -> client.poll() == 0);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    /** Sends a frame, and returns when it was answered. */
    private void ask(int number) {
        assertTrue(client.send(ByteBuffer.allocate(8)));
        Waits.until("the answer to be sent", () -> answered.get() == number);
    }

    /** Returns how long a wait took. */
    private long await(long timeoutNs) {
        long startNs = System.nanoTime();
        client.await(timeoutNs);
        return System.nanoTime() - startNs;
    }

    @Test
    void aPollSaysWhetherThereWasSomethingToDo() {
        int[] work = new int[2];
        ask(1);
        Waits.until("the first answer", () -> {
            work[0] += client.poll();
            return frames.get() == 1;
        });
        ask(2);
        Waits.until("the second answer", () -> {
            work[1] += client.poll(1000);
            return frames.get() == 2;
        });
        assertTrue(work[0] > 0 && work[1] > 0, () -> "work=" + work[0] + ", by polls that may wait " + work[1]);
        Waits.until("nothing to be left", () -> client.poll(1000) == 0);
    }

    @Test
    void whatComesEndsAWaitWhereItIsArmed() {
        client.arm();
        Waits.until("nothing to be there yet", () -> client.poll() == 0);
        ask(1);
        assertTrue(await(LIMIT_NS) < LIMIT_NS, "it slept for all its time");
        Waits.until("the answer", () -> client.poll() >= 0 && frames.get() == 1);
    }

    @Test
    void whatComesEndsNoWaitThatIsDisarmed() {
        client.arm();
        client.disarm();
        ask(1);
        assertTrue(await(50_000_000) >= 50_000_000, "it was woken");
        assertEquals(0, frames.get(), "nobody has polled");
    }

    @Test
    void aWakeupEndsTheNextWait() {
        client.wakeup();
        assertTrue(await(LIMIT_NS) < LIMIT_NS, "it slept for all its time");
        assertTrue(await(50_000_000) >= 50_000_000, "it was woken twice");
    }
}
