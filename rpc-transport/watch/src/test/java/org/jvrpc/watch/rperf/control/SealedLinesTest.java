package org.jvrpc.watch.rperf.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.testing.Waits;
import org.jvrpc.watch.probe.ProbeKeys;

/** What others may say on a connection, and how long they may take. */
class SealedLinesTest {

    private static final ProbeKeys KEYS = ProbeKeys.of(1, "0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final String HOST = InetAddress.getLoopbackAddress().getHostAddress();
    private static final int MINUTE_MS = 60_000;
    private static final int HURRY_MS = 100;

    private ControlServer server;

    @BeforeEach
    void open() throws IOException {
        server = open(MINUTE_MS);
    }

    private static ControlServer open(int firstMs) throws IOException {
        return ControlServer.open(new InetSocketAddress(HOST, 0), KEYS, "shm://here", order -> {
            throw new IllegalStateException("not here");
        }, firstMs);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static SealedLines driver(Socket socket) throws IOException {
        SealedLines lines = new SealedLines(socket, KEYS, false, System::nanoTime);
        lines.within(MINUTE_MS);
        return lines;
    }

    private static BufferedReader replies(Socket from) throws IOException {
        return new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** A line of another connection has other nonces, and one that was taken has another number. */
    @Test
    void aRepeatedCommandIsHungUpOn() throws IOException {
        try (Socket first = new Socket(HOST, server.port()); Socket second = new Socket(HOST, server.port())) {
            SealedLines client = driver(first);
            client.greet();
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            SealedLines tapped = driver(new Wire(second.getInputStream(), new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    said.write(b);
                    second.getOutputStream().write(b);
                }
            }));
            tapped.greet();
            said.reset();
            tapped.write("info");
            assertTrue(tapped.read().startsWith("ok device="));
            second.getOutputStream().write(said.toByteArray());
            assertNull(replies(second).readLine(), "the same line again");
            first.getOutputStream().write(said.toByteArray());
            assertThrows(IOException.class, client::read, "another connection's line");
        }
    }

    /** Whoever listened to an agent knows a nonce of it, and its reply. */
    @Test
    void whatAnAgentSaidToADriverHoldsForNoOther() throws IOException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (Socket socket = new Socket(HOST, server.port())) {
            SealedLines driver = driver(new Wire(Wire.kept(socket.getInputStream(), said), socket.getOutputStream()));
            driver.greet();
            driver.write("info");
            assertTrue(driver.read().startsWith("ok device="));
        }
        String why = whyNot(said.toString(StandardCharsets.US_ASCII));
        assertTrue(why.contains("the seal is not of this key"), why);
    }

    @ParameterizedTest
    @CsvSource({"jvrpc-rperf 1 00112233445566778899aabbccddeeff, it speaks version 1 of rperf's protocol",
        "jvrpc-rperf 3 00112233445566778899aabbccddeeff, it speaks version 3 of rperf's protocol",
        "jvrpc-rperf 2 00112233445566778899aabbccddeef, its nonce is no 32 hex digits",
        "jvrpc-rperf 2 00112233445566778899aabbccddeefg, its nonce is no 32 hex digits",
        "HTTP/1.1 400 Bad Request, what answers is no jvrpc rperf agent"})
    void anAgentOfAnotherVersionOrNoneIsRefusedInWords(String greeting, String expected) throws IOException {
        String why = whyNot(greeting + "\n");
        assertTrue(why.contains(expected), why);
    }

    /** Returns why a driver does not take what an agent says so. */
    private static String whyNot(String said) throws IOException {
        try (ServerSocket agent = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            CompletableFuture<Socket> accepted = CompletableFuture.supplyAsync(() -> {
                try {
                    Socket socket = agent.accept();
                    socket.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
                    return socket;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            try (ControlClient client = ControlClient.connect(HOST, agent.getLocalPort(), KEYS)) {
                return assertThrows(IOException.class, client::device).getMessage();
            } catch (IOException e) {
                return e.getMessage();
            } finally {
                accepted.join().close();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"jvrpc-rperf 1 00112233445566778899aabbccddeeff", "0 info 1 00", "''"})
    void aDriverOfAnotherVersionIsHungUpOn(String greeting) throws IOException {
        try (Socket socket = new Socket(HOST, server.port())) {
            BufferedReader replies = replies(socket);
            assertTrue(replies.readLine().startsWith("jvrpc-rperf 2 "));
            socket.getOutputStream().write((greeting + "\n").getBytes(StandardCharsets.US_ASCII));
            assertNull(replies.readLine());
        }
    }

    @Test
    void whatIsReadHasOneDeadlineHoweverSlowlyItsBytesCome() throws IOException {
        long[] nowNs = {Long.MAX_VALUE - 5}; // it may pass over
        Wire slow = new Wire(new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("one byte at a time");
            }

            @Override
            public int read(byte[] to, int at, int length) {
                nowNs[0] += 100_000_000;
                to[at] = 'x';
                return 1;
            }
        }, OutputStream.nullOutputStream());
        SealedLines lines = new SealedLines(slow, KEYS, true, () -> nowNs[0]);
        lines.within(500);
        assertThrows(SocketTimeoutException.class, () -> lines.plain(4096));
        assertEquals(List.of(500, 400, 300, 200, 100), slow.timeoutsMs);
    }

    /** Sixteen of these would keep all others out. */
    @Test
    void whoeverProvesNoKeyInTimeIsHungUpOnThoughBytesCome() throws IOException {
        try (ControlServer hurried = open(HURRY_MS); Socket slow = new Socket(HOST, hurried.port())) {
            driver(slow).greet();
            slow.setSoTimeout(1);
            int[] sent = new int[1];
            Waits.until("the end", () -> {
                try {
                    slow.getOutputStream().write('x');
                    sent[0]++;
                    return slow.getInputStream().read() < 0;
                } catch (SocketTimeoutException e) {
                    return false;
                } catch (IOException e) {
                    return true;
                }
            });
            assertTrue(sent[0] < SealedLines.COMMAND_BYTES, "it ended as the line was too long: " + sent[0]);
        }
    }
}
