package org.jvrpc.softrnic.roce.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.Waits;

class ProgressThreadTest {

    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicInteger backRounds = new AtomicInteger();
    private final AtomicInteger late = new AtomicInteger();
    private final AtomicLong due = new AtomicLong(ProgressThread.NEVER);
    private final AtomicBoolean polling = new AtomicBoolean(true);
    private final AtomicBoolean fails = new AtomicBoolean();
    private final Thread caller = new Thread(this::poll);
    private DatagramChannel channel;
    private ProgressThread thread;

    @BeforeEach
    void start() throws IOException {
        channel = DatagramChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        channel.configureBlocking(false);
        thread = new ProgressThread("progress", channel, this::take);
        thread.start();
    }

    @AfterEach
    void end() throws Exception {
        polling.set(false);
        caller.join();
        thread.end();
        channel.close();
    }

    private long take() {
        try {
            ByteBuffer packet = ByteBuffer.allocate(8);
            while (channel.receive(packet) != null) {
                packet.clear();
                taken.incrementAndGet();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (fails.getAndSet(false)) {
            throw new StackOverflowError("of the test");
        }
        rounds.incrementAndGet();
        if (!thread.isAside()) {
            backRounds.incrementAndGet();
        }
        long dueNs = due.get();
        if (dueNs <= System.nanoTime()) {
            late.incrementAndGet();
        }
        return dueNs > System.nanoTime() ? dueNs : ProgressThread.NEVER;
    }

    private void poll() {
        while (polling.get()) {
            thread.polled();
        }
    }

    private void send() throws IOException {
        try (DatagramChannel peer = DatagramChannel.open()) {
            peer.send(ByteBuffer.allocate(4), channel.getLocalAddress());
        }
    }

    @Test
    void packetsAreTakenWhereNobodyPolls() throws IOException {
        send();
        Waits.until("a packet", () -> taken.get() == 1);
        assertFalse(thread.isAside());
    }

    @Test
    void itStepsAsideWhileCallersPollAndComesBack() throws IOException {
        caller.start();
        Waits.until("aside", thread::isAside);
        polling.set(false);
        Waits.until("back", () -> !thread.isAside());
        send();
        Waits.until("a packet", () -> taken.get() == 1);
    }

    @Test
    void itIsBackWhenOneOfThoseWhoPollSleeps() {
        caller.start();
        Waits.until("aside", thread::isAside);
        Waits.until("back for one of them", () -> {
            thread.sleeper().run(); // the others have it step aside soon
            return !thread.isAside();
        });
    }

    /** What stays inside a node does not come by the socket. A wait takes 4 ms; a busy machine may be late, too. */
    @Test
    void whenItIsBackItWorksBeforeItWaits() {
        caller.start();
        int soon = 0;
        for (int i = 0; i < 50; i++) {
            Waits.until("aside", thread::isAside);
            int before = backRounds.get();
            long startNs = System.nanoTime();
            thread.sleeper().run();
            Waits.until("work", () -> backRounds.get() > before);
            soon += System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(3) ? 1 : 0;
        }
        assertTrue(soon >= 10, "within 3 ms: " + soon + " of 50");
    }

    @Test
    void workThatFailsIsDoneAgain() throws IOException {
        fails.set(true);
        thread.wake();
        Waits.until("a failure", () -> !fails.get());
        send();
        Waits.until("a packet", () -> taken.get() == 1);
    }

    private void rest() {
        Waits.until("rest", thread::isResting);
    }

    @Test
    void itRestsWhenNothingHappensUntilSomethingBegins() {
        for (int i = 0; i < 3; i++) {
            rest();
            int before = rounds.get();
            thread.stir();
            Waits.until("work", () -> rounds.get() > before);
        }
    }

    @Test
    void aPacketEndsItsRest() throws IOException {
        rest();
        send();
        Waits.until("a packet", () -> taken.get() == 1);
        rest();
    }

    @Test
    void whatIsDueEndsItsRest() {
        rest();
        due.set(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500)); // it rests again before
        thread.stir(); // it works, and learns of it
        Waits.until("work that is due", () -> late.get() > 0);
    }

    @Test
    void pollsNowAndThenDoNotEndItsRest() {
        rest();
        int before = rounds.get();
        for (int i = 0; i < 1000; i++) {
            thread.polled();
        }
        assertTrue(thread.isResting());
        assertEquals(before, rounds.get());
        assertFalse(thread.isAside());
    }
}
