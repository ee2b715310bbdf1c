package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
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
