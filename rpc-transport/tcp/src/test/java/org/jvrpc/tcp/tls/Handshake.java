package org.jvrpc.tcp.tls;

import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jvrpc.testing.Waits;

/** Both sides of a connection by TLS, driven by one thread until each has a byte of the other, or has failed. */
final class Handshake implements AutoCloseable {

    final TlsWire client;
    final TlsWire server;
    /** Why each side failed; null where it did not. */
    String clientSays;
    String serverSays;

    Handshake(TlsKeys clientKeys, TlsKeys serverKeys) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            SocketChannel connected = SocketChannel.open(listener.getLocalAddress());
            SocketChannel accepted = listener.accept();
            connected.configureBlocking(false);
            accepted.configureBlocking(false);
            client = TlsWire.ofClient(connected, clientKeys, "127.0.0.1", 4711);
            server = TlsWire.ofServer(accepted, serverKeys, () -> { });
        }
        run();
    }

    static Handshake of(String clientQuery, String serverQuery) throws IOException {
        return new Handshake(keys(clientQuery), keys(serverQuery));
    }

    static TlsKeys keys(String query) {
        return new TlsKeys(TlsOptions.parse("?" + query));
    }

    /** Fails unless both sides have spoken. */
    Handshake succeeds() {
        assertNull(clientSays, clientSays);
        assertNull(serverSays, serverSays);
        return this;
    }

    private void run() {
        Side first = new Side(client);
        Side second = new Side(server);
        Waits.until("both sides", () -> {
            first.go();
            second.go();
            return first.isOver() && second.isOver();
        }, () -> "client=" + first.failure + " server=" + second.failure);
        clientSays = first.failure;
        serverSays = second.failure;
    }

    private static final class Side {

        private final TlsWire wire;
        private final ByteBuffer out = ByteBuffer.allocate(1);
        private final ByteBuffer in = ByteBuffer.allocate(1);
        private String failure;

        Side(TlsWire wire) {
            this.wire = wire;
        }

        boolean isOver() {
            return failure != null || !in.hasRemaining() && !out.hasRemaining();
        }

        void go() {
            if (failure != null) {
                return;
            }
            try {
                if (out.hasRemaining()) {
                    wire.write(out);
                }
                if (in.hasRemaining() && wire.read(in) < 0) {
                    failure = "the other side ended";
                }
            } catch (IOException e) {
                failure = String.valueOf(e.getMessage());
            }
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
