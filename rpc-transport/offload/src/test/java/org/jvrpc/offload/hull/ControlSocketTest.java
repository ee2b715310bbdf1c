package org.jvrpc.offload.hull;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.Holdings;

/** Lines from one side to the other. */
final class ControlSocketTest {

    private static final int LONGEST = 100;

    @TempDir
    private Path folder;
    private ServerSocketChannel server;
    private ControlSocket reader;
    private SocketChannel raw;

    @BeforeEach
    void connect() throws IOException {
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(folder.resolve("s")));
        reader = ControlSocket.connect(folder.resolve("s"), LONGEST);
        raw = server.accept();
    }

    @AfterEach
    void close() throws IOException {
        reader.close();
        raw.close();
        server.close();
    }

    private void send(String text) throws IOException {
        raw.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void linesThatComeAtOnceAreReadOneByOneAndOneWithoutAnEndIsNone() throws IOException {
        send("one\n\ntwo \u00e9\u4e2d\nthr");
        assertEquals("one", reader.readLine());
        assertEquals("", reader.readLine());
        assertEquals("two \u00e9\u4e2d", reader.readLine());
        send("ee\nfour");
        assertEquals("three", reader.readLine());
        raw.close();
        assertNull(reader.readLine());
    }

    @Test
    void aLineMayBeAsLongAsThereIsALimitAndNoLonger() throws IOException {
        send("x".repeat(LONGEST));
        send("\n");
        assertEquals("x".repeat(LONGEST), reader.readLine());
        send("y".repeat(LONGEST + 1));
        IOException refusal = assertThrows(IOException.class, reader::readLine);
        assertEquals("line is longer than bytes=100", refusal.getMessage());
    }

    @Test
    void manyLinesOfManyLengthsComeWhole() throws IOException {
        try (ControlSocket wide = ControlSocket.connect(folder.resolve("s"), 10_000);
                ControlSocket writer = new ControlSocket(server.accept(), LONGEST)) {
            for (int length = 1; length <= 10_000; length += 333) {
                String line = "x".repeat(length);
                writer.writeLine(line);
                writer.writeLine("." + line);
                assertEquals(line, wide.readLine());
                assertEquals("." + line, wide.readLine());
            }
        }
    }

    @Test
    void whoClosesIsNoticedByTheOtherSide() throws IOException {
        reader.close();
        assertEquals(-1, raw.read(ByteBuffer.allocate(1)));
        reader.close();
    }

    @Test
    void whereNobodyListensTheConnectionIsRefused() throws IOException {
        server.close();
        int before = Holdings.now().descriptors();
        for (int i = 0; i < 50; i++) {
            assertThrows(IOException.class, () -> ControlSocket.connect(folder.resolve("s"), LONGEST));
        }
        int left = Holdings.now().descriptors() - before;
        assertTrue(left < 50, "a socket of each is left: " + left);
    }
}
