package org.jvrpc.samples.kv.memcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.samples.kv.store.Clock;
import org.jvrpc.samples.kv.store.StoreTestAccess;

/** Sockets and threads. */
class ServerTest {

    private static final long BUFFERS = 16L << 20;

    @TempDir
    Path folder;

    @Test
    void valuesOfAllSizesTravelBothWays() throws IOException {
        try (TestServer server = TestServer.start(); RawClient client = new RawClient(server.port())) {
            for (int length : new int[] {0, 1, 100, 65_520, 65_536, 70_000, 500_000, 1 << 20}) {
                String value = "z".repeat(length);
                assertEquals("STORED\r\n", client.ask("set k 0 0 " + length + "\r\n" + value + "\r\n"));
                assertEquals("VALUE k 0 " + length + "\r\n" + value + "\r\nEND\r\n", client.ask("get k\r\n"));
            }
        }
    }

    @Test
    void manyCommandsMayBeSentBeforeTheFirstAnswerIsRead() throws Exception {
        try (TestServer server = TestServer.start(); RawClient client = new RawClient(server.port())) {
            int commands = 50_000;
            StringBuilder sets = new StringBuilder();
            for (int i = 0; i < commands; i++) {
                sets.append("set key").append(i % 500).append(" 0 0 10\r\n0123456789\r\nget key").append(i % 500)
                        .append("\r\n");
            }
            Thread sender = new Thread(() -> {
                try {
                    client.send(sets.toString());
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            sender.start();
            for (int i = 0; i < commands; i++) {
                assertEquals("STORED\r\n", client.line());
                assertEquals("VALUE key" + i % 500 + " 0 10\r\n", client.line());
                assertEquals("0123456789\r\n", client.line());
                assertEquals("END\r\n", client.line());
            }
            sender.join();
        }
    }

    @Test
    void manyClientsAddToOneNumberWithoutLosingAnything() throws Exception {
        int clients = 6;
        int each = 2000;
        try (TestServer server = TestServer.start(); RawClient first = new RawClient(server.port())) {
            first.ask("set n 0 0 1\r\n0\r\n");
            AtomicReference<Throwable> failure = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int c = 0; c < clients; c++) {
                Thread thread = new Thread(() -> {
                    try (RawClient client = new RawClient(server.port())) {
                        client.send("incr n 1\r\n".repeat(each));
                        for (int i = 0; i < each; i++) {
                            client.line();
                        }
                    } catch (IOException e) {
                        failure.set(e);
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertNull(failure.get());
            assertEquals("VALUE n 0 5\r\n" + clients * each + "\r\nEND\r\n", first.ask("get n\r\n"));
            StoreTestAccess.audit(server.store);
        }
    }

    /** Peers that send requests and take no answers stop being read; the others go on, and memory is bounded. */
    @Test
    void peersThatTakeNoAnswersAreNotReadFrom() throws Exception {
        try (TestServer server = TestServer.start(null, 100, BUFFERS); RawClient good = new RawClient(server.port())) {
            String value = "z".repeat(500_000);
            good.ask("set big 0 0 500000\r\n" + value + "\r\n");
            List<SocketChannel> bad = new ArrayList<>();
            byte[] gets = "get big big big\r\n".repeat(1000).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 40; i++) {
                SocketChannel channel = SocketChannel.open(
                        new java.net.InetSocketAddress("127.0.0.1", server.port()));
                channel.configureBlocking(false);
                ByteBuffer buffer = ByteBuffer.wrap(gets);
                for (int tries = 0; tries < 20; tries++) {
                    buffer.rewind();
                    channel.write(buffer);
                }
                bad.add(channel);
            }
            for (int i = 0; i < 200; i++) {
                assertEquals("STORED\r\n", good.ask("set small 0 0 1\r\nx\r\n"));
            }
            for (SocketChannel channel : bad) {
                channel.close();
            }
            // What they held is free again: bounded by the read time-out of the client.
            String answer = good.ask("get big\r\n");
            while (answer.startsWith("SERVER_ERROR")) {
                Thread.onSpinWait();
                answer = good.ask("get big\r\n");
            }
            assertEquals("VALUE big 0 500000\r\n" + value + "\r\nEND\r\n", answer);
        }
    }

    @Test
    void oneConnectionTooManyIsToldSo() throws Exception {
        try (TestServer server = TestServer.start(null, 2, BUFFERS);
             RawClient first = new RawClient(server.port());
             RawClient second = new RawClient(server.port())) {
            first.ask("version\r\n");
            second.ask("version\r\n");
            try (RawClient third = new RawClient(server.port())) {
                assertEquals("ERROR Too many open connections\r\n", third.line());
                assertTrue(third.isAtEnd());
            }
            assertTrue(first.ask("stats\r\n").contains("STAT rejected_connections 1\r\n"));
        }
    }

    @Test
    void aUnixSocketServesTheSameStoreAndGoesWithTheServer() throws Exception {
        Path path = folder.resolve("kv.sock");
        try (TestServer server = TestServer.start(path, 10, BUFFERS); RawClient tcp = new RawClient(server.port())) {
            tcp.ask("set a 0 0 1\r\nx\r\n");
            try (SocketChannel unix = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
                unix.write(ByteBuffer.wrap("get a\r\nquit\r\n".getBytes(StandardCharsets.US_ASCII)));
                ByteBuffer answer = ByteBuffer.allocate(100);
                while (unix.read(answer) >= 0) {
                    assertTrue(answer.hasRemaining());
                }
                assertEquals("VALUE a 0 1\r\nx\r\nEND\r\n",
                        new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII));
            }
            IOException taken = assertThrows(IOException.class, () -> MemcacheServer.start(
                    server.store, new ServerSettings("127.0.0.1", -1, path, 1, 10, BUFFERS)));
            assertTrue(taken.getMessage().contains("a living process has it"), taken.getMessage());
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (TestServer server = TestServer.start()) {
            IOException taken = assertThrows(IOException.class,
                    () -> MemcacheServer.start(server.store, ServerSettings.ofPort(server.port())));
            assertTrue(taken.getMessage().contains("cannot listen at"), taken.getMessage());
            assertTrue(taken.getMessage().contains(Integer.toString(server.port())), taken.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> ServerSettings.ofPort(70_000));
        assertThrows(IllegalArgumentException.class,
                () -> new TestServer(1, ServerSettings.ofPort(0), Clock.system()).close());
    }

    @Test
    void whatAClientSentBeforeItClosedItsSideIsDone() throws Exception {
        try (TestServer server = TestServer.start(); RawClient client = new RawClient(server.port())) {
            client.send("set a 0 0 1\r\nx\r\nget a\r\n");
            client.shutdownOutput();
            assertEquals("STORED\r\n", client.line());
            assertEquals("VALUE a 0 1\r\n", client.line());
            assertEquals("x\r\n", client.line());
            assertEquals("END\r\n", client.line());
            assertTrue(client.isAtEnd());
        }
    }
}
