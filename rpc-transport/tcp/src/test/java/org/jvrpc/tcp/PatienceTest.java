package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.runtime.transport.Transport;
import org.jvrpc.tcp.link.StreamEvents;
import org.jvrpc.testing.Waits;

/** Clients that take their time over saying who they are, by steps. */
class PatienceTest {

    private static final long SECOND_NS = 1_000_000_000;
    private static final int PATIENCE_S = 10;

    /** Nobody is to get as far as a session. */
    private static final class NoServer implements ServerTransport.Server {

        @Override
        public String unavailable() {
            return "no sessions here";
        }

        @Override
        public long maxBytes() {
            throw new AssertionError("nobody is served");
        }

        @Override
        public Runnable session(long id, int thread, Hello asked, Link link, Bodies bodies) {
            throw new AssertionError("nobody is served");
        }

        @Override
        public void deviceIsGone() {
            throw new AssertionError("there is none");
        }
    }

    private final StreamEvents events = new StreamEvents();
    private long nowNs = 1;
    private final Doorway doorway;
    private final ServerSocketChannel listener;

    PatienceTest() throws IOException {
        Transport.Setup setup = new Transport.Setup(Protocol.CALLS, "tcp://127.0.0.1:0", 1, "control",
                (InetAddress host) -> null, new SessionBudget(new SessionLimits()),
                new Environment(() -> nowNs, Threads.DAEMONS));
        StreamAddress place = TcpAddress.parse("tcp://127.0.0.1:0");
        doorway = new Doorway(new NoServer(), () -> place, setup, events, List.of(events));
        listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
    }

    @AfterEach
    void close() throws IOException {
        doorway.close();
        listener.close();
        events.close();
    }

    private SocketChannel enter() throws IOException {
        SocketChannel client = SocketChannel.open(listener.getLocalAddress());
        doorway.enter(listener.accept());
        return client;
    }

    private static ByteBuffer hello() {
        return Greeting.of(Greeting.HELLO, Hello.request(Protocol.CALLS, 2, 512, 1 << 20).encode());
    }

    /** Has the doorway look until the client sees that it is over; returns what it was told. */
    private ByteBuffer told(SocketChannel client) throws IOException {
        ByteBuffer said = ByteBuffer.allocate(1000);
        client.configureBlocking(false);
        Waits.until("the end", () -> {
            doorway.look();
            return read(client, said) < 0;
        });
        return said.flip();
    }

    private static int read(SocketChannel client, ByteBuffer said) {
        try {
            return client.read(said);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** It is the whole hello that has to come in time, not each byte of it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void whoeverSaysAHelloByTheByteIsEndedAllTheSame(int bytesPerSecond) throws IOException {
        try (SocketChannel client = enter()) {
            ByteBuffer hello = hello();
            for (int second = 0; second < PATIENCE_S; second++) {
                client.write(hello.slice(second * bytesPerSecond, bytesPerSecond));
                doorway.look();
                nowNs += SECOND_NS;
            }
            client.configureBlocking(false);
            assertEquals(0, client.read(ByteBuffer.allocate(1)), "until then there is time");
            nowNs += 1;
            assertEquals(0, told(client).remaining(), "it is told nothing");
        }
    }

    @Test
    void aHelloInTheLastMomentIsHeard() throws IOException {
        try (SocketChannel client = enter()) {
            doorway.look();
            nowNs += PATIENCE_S * SECOND_NS;
            client.write(hello());
            String told = new String(told(client).array(), StandardCharsets.UTF_8);
            assertTrue(told.contains("no sessions here"), told);
        }
    }
}
