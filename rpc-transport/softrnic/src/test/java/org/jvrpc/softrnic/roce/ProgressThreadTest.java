package org.jvrpc.softrnic.roce;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.Waits;

class ProgressThreadTest {

    private final AtomicInteger taken = new AtomicInteger();
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

    private void take() {
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

    @Test
    void workThatFailsIsDoneAgain() throws IOException {
        fails.set(true);
        thread.wake();
        Waits.until("a failure", () -> !fails.get());
        send();
        Waits.until("a packet", () -> taken.get() == 1);
    }
}
