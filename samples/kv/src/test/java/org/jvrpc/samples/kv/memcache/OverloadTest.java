package org.jvrpc.samples.kv.memcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.jvrpc.samples.kv.store.Clock;

/** Errors, and peers that take what others need. */
class OverloadTest {

    private static final int LONG = 1_000_000;
    private static final long LIMIT_NS = 30_000_000_000L;

    /** The machine's time, which fails when it is told to. */
    private static final class FailingClock implements Clock {

        final AtomicBoolean failsCommand = new AtomicBoolean();
        final AtomicBoolean failsTick = new AtomicBoolean();
        private final Clock system = Clock.system();

        @Override
        public long seconds() {
            boolean tick = StackWalker.getInstance().walk(frames -> frames.anyMatch(
                    frame -> frame.getMethodName().equals("tick")));
            if ((tick ? failsTick : failsCommand).getAndSet(false)) {
                throw new OutOfMemoryError("for the test");
            }
            return system.seconds();
        }

        @Override
        public long nanos() {
            return system.nanos();
        }
    }

    private static void until(String what, long deadlineNs) {
        assertTrue(System.nanoTime() - deadlineNs < 0, "waited 30 s for " + what);
        Thread.onSpinWait();
    }

    @Test
    void anErrorOfOneCommandEndsItsConnectionAndNoOther() throws Exception {
        FailingClock clock = new FailingClock();
        try (TestServer server = new TestServer(32L << 20,
                new ServerSettings("127.0.0.1", 0, null, 1, 100, 16L << 20), clock);
             RawClient other = new RawClient(server.port()); RawClient unlucky = new RawClient(server.port())) {
            assertEquals("STORED\r\n", other.ask("set k 0 100 1\r\nx\r\n"));
            assertEquals("", unlucky.ask(""));
            clock.failsCommand.set(true);
            unlucky.send("get k\r\n");
            assertTrue(unlucky.isAtEnd(), "the connection of the command that failed");
            assertEquals("VALUE k 0 1\r\nx\r\nEND\r\n", other.ask("get k\r\n"));
            try (RawClient later = new RawClient(server.port())) {
                assertEquals("VALUE k 0 1\r\nx\r\nEND\r\n", later.ask("get k\r\n"));
            }
        }
    }

    @Test
    void anErrorOfTheLoopItselfLeavesItsConnectionsServed() throws Exception {
        FailingClock clock = new FailingClock();
        try (TestServer server = new TestServer(32L << 20,
                new ServerSettings("127.0.0.1", 0, null, 1, 100, 16L << 20), clock);
             RawClient client = new RawClient(server.port())) {
            client.ask("set k 0 100 1\r\nx\r\n");
            client.ask("flush_all 1000\r\n"); // a tick asks for the time
            clock.failsTick.set(true);
            long deadline = System.nanoTime() + LIMIT_NS;
            while (clock.failsTick.get()) {
                until("a tick", deadline);
            }
            assertEquals("VALUE k 0 1\r\nx\r\nEND\r\n", client.ask("get k\r\n"));
        }
    }

    @Test
    void aLoopThatEndedIsGivenNoConnections() throws Exception {
        try (TestServer server = TestServer.start(null, 100, 8L << 20)) { // of two loops
            server.server.loop(0).close();
            for (int i = 0; i < 2; i++) { // one of them would be its turn
                try (RawClient client = new RawClient(server.port())) {
                    assertEquals("", client.ask(""));
                }
            }
            server.server.loop(1).close();
            try (RawClient client = new RawClient(server.port())) {
                assertEquals("ERROR Too many open connections\r\n", client.line());
            }
        }
    }

    @Test
    void aConnectionThatMeetsTheEndOfItsLoopEndsWithIt() throws Exception {
        try (TestServer server = TestServer.start(null, 100, 8L << 20);
             ServerSocketChannel listener = ServerSocketChannel.open().bind(
                     new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
             SocketChannel accepted = SocketChannel.open(listener.getLocalAddress())) {
            server.server.loop(0).close();
            server.server.loop(0).add(accepted); // as by the acceptor, when it looked before the end
            assertFalse(accepted.isOpen());
        }
    }

    @Test
    void whoSendsALongValueAndStopsGivesWayToOthers() throws Exception {
        List<RawClient> stalled = new ArrayList<>();
        try (TestServer server = TestServer.start(null, 100, 8L << 20)) {
            long started = System.nanoTime() + LIMIT_NS;
            for (long left = 7L << 20; left >= 0; left -= 1 << 20) { // each a buffer of 1 MiB, all that there is
                RawClient client = new RawClient(server.port());
                stalled.add(client);
                client.send("set stalled" + left + " 0 0 " + LONG + "\r\n" + "x".repeat(200_000));
                while (server.server.bufferBytesLeft() != left) {
                    until("its buffer, bytes left=" + server.server.bufferBytesLeft(), started);
                }
            }
            String set = "set good 0 0 " + LONG + "\r\n" + "z".repeat(LONG) + "\r\n";
            long deadline = System.nanoTime() + LIMIT_NS;
            String answer = "";
            int refused = 0;
            try (RawClient good = new RawClient(server.port())) {
                while (!answer.equals("STORED\r\n")) {
                    until("room for a long value, refused " + refused + " times: " + answer, deadline);
                    answer = good.ask(set);
                    refused += answer.startsWith("SERVER_ERROR") ? 1 : 0;
                }
            }
            for (RawClient client : stalled) {
                assertThrows(IOException.class, () -> {
                    client.send("x");
                    client.line();
                }, "a stalled client is told by the end of its connection");
            }
        } finally {
            for (RawClient client : stalled) {
                client.close();
            }
        }
    }
}
