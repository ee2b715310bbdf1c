package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.MessageServer;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.stream.Feed;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.MessageHeader;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.stream.piece.StreamHeader;
import org.jvrpc.tcp.link.LentMemory;
import org.jvrpc.tcp.tls.TlsWire;
import org.jvrpc.testing.Waits;

/** What a server has for clients that are silent: of the memory that bytes go through, none. */
class IdleConnectionsTest {

    private static final int TIMEOUT_MS = 60_000;
    /** PING of the number 7, and its answer: kind:4 and length:28, number:64. */
    private static final long NUMBER = 7;
    private static final int PING = 4 << 28 | Long.BYTES;
    private static final int PONG = 5 << 28 | Long.BYTES;
    /** MESSAGE, of a header. */
    private static final int MESSAGE = RpcHeader.BYTES;
    /** Nobody is looked at for being alive meanwhile. */
    private static final Duration LONG = Duration.ofHours(1);
    /** Who calls, and who was not asked lately. */
    private static final int FEW = 12;

    private final List<Socket> idle = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : idle) {
            socket.close();
        }
    }

    /** Has a session begin, and have some traffic. */
    private void begin(Socket socket) throws IOException {
        idle.add(socket);
        socket.setSoTimeout(TIMEOUT_MS);
        ByteBuffer hello = Greeting.of(Greeting.HELLO, Hello.request(Protocol.CALLS, 2, 4096, 1 << 20).encode());
        socket.getOutputStream().write(hello.array());
        assertEquals(hello.capacity(), socket.getInputStream().readNBytes(hello.capacity()).length);
        ByteBuffer ping = ByteBuffer.allocate(Integer.BYTES + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        socket.getOutputStream().write(ping.putInt(PING).putLong(NUMBER).array());
        ByteBuffer pong = ByteBuffer.wrap(socket.getInputStream().readNBytes(ping.capacity()));
        assertEquals(PONG, pong.order(ByteOrder.LITTLE_ENDIAN).getInt());
    }

    /** Has a session begin that takes a message last, which says nothing; returns its socket. */
    private Socket begin(Socket socket, Protocol protocol, long first) throws IOException {
        idle.add(socket);
        socket.setSoTimeout(TIMEOUT_MS);
        ByteBuffer hello = Greeting.of(Greeting.HELLO, Hello.request(protocol, 4, 4096, 1 << 16).encode());
        socket.getOutputStream().write(hello.array());
        assertEquals(hello.capacity(), socket.getInputStream().readNBytes(hello.capacity()).length);
        say(socket, first);
        return socket;
    }

    /** Says a message; it was taken when this returns. */
    private static void say(Socket socket, long first) throws IOException {
        ByteBuffer frames = ByteBuffer.allocate(2 * Integer.BYTES + Long.BYTES + RpcHeader.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN).putInt(PING).putLong(NUMBER).putInt(MESSAGE).putLong(first).putLong(0);
        socket.getOutputStream().write(frames.array());
        while (head(socket) != PONG) {
            socket.getInputStream().readNBytes(RpcHeader.BYTES); // a message of credits
        }
        socket.getInputStream().readNBytes(Long.BYTES);
    }

    private static int head(Socket socket) throws IOException {
        int head = ByteBuffer.wrap(socket.getInputStream().readNBytes(Integer.BYTES)).order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
        assertTrue(head == PONG || head == MESSAGE, () -> "head=" + Integer.toHexString(head));
        return head;
    }

    /** While one speaks, a server finds out who does not. */
    private void awaitFew(long first, int before, IntSupplier lent) {
        Waits.until("silent sessions to have nothing", () -> {
            try {
                say(idle.get(0), first);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return lent.getAsInt() - before <= FEW;
        }, () -> lent.getAsInt() - before);
    }

    /** While somebody calls, a server finds out who does not. */
    private static void awaitFew(RpcServer server, String address, int before, IntSupplier lent) {
        try (RpcClient busy = RpcClient.connect(address)) {
            Adder adder = busy.stub(Adder.class);
            Waits.until("silent connections to have nothing", () -> {
                assertEquals(5, adder.add(2, 3), server.address());
                return lent.getAsInt() - before <= FEW;
            }, () -> lent.getAsInt() - before);
        }
    }

    @Test
    void aSilentConnectionHasNoMemoryToReadInto() throws IOException {
        int before = LentMemory.lent();
        try (RpcServer server = RpcServer.builder().bind("tcp://127.0.0.1:0").service(Adder.class, Integer::sum)
                .start()) {
            int port = Integer.parseInt(server.address().replaceFirst(".*:", ""));
            for (int i = 0; i < 300; i++) {
                begin(new Socket("127.0.0.1", port));
            }
            awaitFew(server, server.address(), before, LentMemory::lent);
            close();
        }
    }

    @Test
    void aSilentConnectionHasNoMemoryForRecordsOfTls() throws IOException, GeneralSecurityException {
        int before = TlsWire.lent();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anybody()}, null);
        try (RpcServer server = RpcServer.builder().bind("tls://127.0.0.1:0?" + TlsFiles.own().proof())
                .service(Adder.class, Integer::sum).start()) {
            int port = Integer.parseInt(server.address().replaceAll(".*:|[?].*", ""));
            for (int i = 0; i < 40; i++) {
                begin(context.getSocketFactory().createSocket("127.0.0.1", port));
            }
            awaitFew(server, server.address().replaceFirst("[?].*", "?" + TlsFiles.own().trust()), before,
                    TlsWire::lent);
            close();
        }
    }

    /** Not because of a ping, nor of a look at whether they live. */
    private void expectNoMemory(String address, Protocol protocol, long first) throws IOException {
        int before = LentMemory.lent();
        int port = Integer.parseInt(address.replaceFirst(".*:", ""));
        for (int i = 0; i < 50; i++) {
            begin(new Socket("127.0.0.1", port), protocol, first);
        }
        awaitFew(first, before, LentMemory::lent);
        close(); // no server waits for them
    }

    @Test
    void aSilentSessionOfCallsHasNoMemoryToReadInto() throws IOException {
        try (RpcServer server = RpcServer.builder().bind("tcp://127.0.0.1:0").service(Adder.class, Integer::sum)
                .keepAlive(LONG).start()) {
            expectNoMemory(server.address(), Protocol.CALLS,
                    RpcHeader.first(RpcHeader.CANCEL, 0, 0, RpcHeader.callId(0, 1)));
        }
    }

    @Test
    void aSilentSessionOfStreamsHasNoMemoryToReadInto() throws IOException {
        Feed unused = (Feed) Proxy.newProxyInstance(Feed.class.getClassLoader(), new Class<?>[] {Feed.class},
                (self, method, arguments) -> null);
        try (RpcServer server = RpcServer.builder().bind("tcp://127.0.0.1:0").service(Feed.class, unused)
                .keepAlive(LONG).start()) {
            expectNoMemory(server.address(), Protocol.STREAMS, StreamHeader.first(StreamHeader.CREDIT, 0, 0));
        }
    }

    @Test
    void aSilentSessionOfMessagesHasNoMemoryToReadInto() throws IOException {
        try (MessageServer server = MessageServer.builder().bind("tcp://127.0.0.1:0")
                .handler(() -> (from, frame) -> { }).keepAlive(LONG).start()) {
            expectNoMemory(server.address(), Protocol.MESSAGES, MessageHeader.first(MessageHeader.CREDIT, 0, 0));
        }
    }

    /** New keys are asked for and given by records that nobody but TLS hears of. */
    @Test
    void aConnectionWithNewKeysHasNoMemoryForRecordsOfTls() throws IOException, GeneralSecurityException {
        int before = TlsWire.lent();
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, new TrustManager[] {new Anybody()}, null);
        long first = MessageHeader.first(MessageHeader.CREDIT, 0, 0);
        try (MessageServer server = MessageServer.builder().bind("tls://127.0.0.1:0?" + TlsFiles.own().proof())
                .handler(() -> (from, frame) -> { }).keepAlive(LONG).start()) {
            int port = Integer.parseInt(server.address().replaceAll(".*:|[?].*", ""));
            List<Socket> below = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                below.add(new Socket("127.0.0.1", port));
                begin(context.getSocketFactory().createSocket(below.get(i), "127.0.0.1", port, true),
                        Protocol.MESSAGES, first);
            }
            awaitFew(first, before, TlsWire::lent);
            for (int i = 1; i < below.size(); i++) {
                assertEquals(0, below.get(i).getInputStream().available());
                ((SSLSocket) idle.get(i)).startHandshake(); // which is over long since: it asks for new keys
            }
            for (Socket socket : below.subList(1, below.size())) {
                Waits.until("new keys", () -> available(socket) > 0, () -> 0);
            }
            awaitFew(first, before, TlsWire::lent);
        }
    }

    private static int available(Socket socket) {
        try {
            return socket.getInputStream().available();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Trusts everybody. */
    private static final class Anybody implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {
            // it is right
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {
            // it is right
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
