package org.jvrpc.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;

/** Those who connect and do not say what a client says. Others are served all the same. */
class StrangersTest {

    private static final int TIMEOUT_MS = 20_000;
    private static final int SLOT_BYTES = 512;

    private final RpcServer server = RpcServer.builder().bind("tcp://127.0.0.1:0")
            .service(Adder.class, (one, other) -> one + other).start();
    private final int port = Integer.parseInt(server.address().replaceFirst(".*:", ""));
    private final RpcClient client = RpcClient.connect(server.address());
    private final Adder adder = client.stub(Adder.class);

    @AfterEach
    void close() {
        assertEquals(5, adder.add(2, 3), "others are served");
        client.close();
        server.close();
    }

    private Socket stranger() throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(TIMEOUT_MS);
        return socket;
    }

    private static byte[] hello() {
        return bytes(Greeting.of(Greeting.HELLO, Hello.request(Protocol.CALLS, 2, SLOT_BYTES, 1 << 20).encode()));
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** A client that was admitted. */
    private Socket admitted() throws IOException {
        Socket socket = stranger();
        socket.getOutputStream().write(hello());
        int length = hello().length;
        assertEquals(length, socket.getInputStream().readNBytes(length).length, "the answer");
        return socket;
    }

    /** Fails unless the other side ends the connection; returns what it says before. */
    private static byte[] ends(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            return new byte[0]; // it did not read all
        } finally {
            socket.close();
        }
    }

    private static ByteBuffer frame(int head, int bytes) {
        return ByteBuffer.allocate(4 + bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(0, head);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.0\r\n\r\n", "\0", "jvRPCtcq"})
    void whoeverIsNoClientIsEnded(String words) throws IOException {
        Socket socket = stranger();
        socket.getOutputStream().write(words.getBytes(US_ASCII));
        assertEquals(0, ends(socket).length);
    }

    @Test
    void aGreetingOfAnotherVersionOrLengthIsEnded() throws IOException {
        for (int at : new int[] {8, 12, 15}) {
            byte[] hello = hello();
            hello[at] ^= 0x40;
            Socket socket = stranger();
            socket.getOutputStream().write(hello);
            if (at == 12) {
                socket.getOutputStream().write(new byte[0x40]); // so much longer is allowed: a hello may have more
                assertTrue(socket.getInputStream().read() >= 0);
                socket.close();
            } else {
                assertEquals(0, ends(socket).length, "byte " + at);
            }
        }
    }

    @Test
    void aHelloOfAnotherProtocolIsRefusedWithAWord() throws IOException {
        Socket socket = stranger();
        socket.getOutputStream().write(
                bytes(Greeting.of(Greeting.HELLO, Hello.request(Protocol.MESSAGES, 8, 1024, 1 << 20).encode())));
        byte[] said = ends(socket);
        assertTrue(new String(said, US_ASCII).contains("message sessions"), () -> new String(said, US_ASCII));
    }

    @Test
    void thoseWhoSayNothingKeepNobodyOut() throws IOException {
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            silent.add(stranger());
        }
        try (RpcClient other = RpcClient.connect(server.address())) {
            assertEquals(7, other.stub(Adder.class).add(3, 4));
        }
        assertEquals(0, ends(silent.get(0)).length, "one of a source too many ends the oldest");
        for (Socket socket : silent) {
            socket.close();
        }
    }

    @Test
    void framesThatMakeNoSenseEndTheirSession() throws IOException {
        int message = 0;
        int[] heads = {9 << 28, message, message | 15, message | 16 + SLOT_BYTES + 1, message | 0xfffffff, 1 << 28 | 23,
            2 << 28 | 7, 2 << 28 | 24, 3 << 28 | 9, 4 << 28, 5 << 28 | 1, 15 << 28};
        for (int head : heads) {
            Socket socket = admitted();
            socket.getOutputStream().write(frame(head, 60).array());
            ends(socket);
        }
    }

    @Test
    void aBodyThatThereIsNotIsRefused() throws IOException {
        Socket socket = admitted();
        ByteBuffer fetch = frame(1 << 28 | 24, 24).putLong(4, 1).putLong(12, 0).putInt(20, 7).putInt(24, 100);
        socket.getOutputStream().write(fetch.array());
        ByteBuffer answer = ByteBuffer.wrap(socket.getInputStream().readNBytes(12)).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(3 << 28 | 8, answer.getInt());
        assertEquals(1, answer.getLong());
        socket.close();
    }

    @Test
    void aConversationMayEndAtEachByte() throws IOException {
        byte[] greeting = hello();
        byte[] all = ByteBuffer.allocate(greeting.length + 4 + 40).order(ByteOrder.LITTLE_ENDIAN).put(greeting)
                .putInt(40).array(); // and a message that is none
        for (int length = 0; length < all.length; length++) {
            try (Socket socket = stranger()) {
                socket.getOutputStream().write(all, 0, length);
            }
        }
    }

    /** What listens there is no server of this kind, or says nothing. */
    @Test
    void aClientOfSomethingElseIsToldWhatItIs() throws IOException {
        try (ServerSocket other = new ServerSocket()) {
            other.bind(new InetSocketAddress("127.0.0.1", 0));
            String address = "tcp://127.0.0.1:" + other.getLocalPort();
            CompletableFuture<Void> answers = CompletableFuture.runAsync(() -> {
                try (Socket socket = other.accept()) {
                    socket.getOutputStream().write("SSH-2.0-x\r\n".getBytes(US_ASCII));
                    socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(address));
            assertEquals(Status.FAILED_PRECONDITION, e.status(), e.getMessage());
            assertTrue(e.getMessage().contains(address) && e.getMessage().contains("5353482d"), e.getMessage());
            answers.join();
        }
    }
}
