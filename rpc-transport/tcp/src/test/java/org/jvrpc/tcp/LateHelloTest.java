package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.transport.Connected;
import org.jvrpc.tcp.link.PlainWire;
import org.jvrpc.tcp.link.Wire;

/** A client whose hand-shake is over in the midst of things. */
class LateHelloTest {

    private static final long TIMEOUT_NS = 5_000_000_000L;

    /** Bytes whose hand-shake ends in the first look for some, which finds none: nothing was moved before. */
    private static final class LateWire implements Wire {

        private final Wire plain;
        private boolean done;

        LateWire(SocketChannel channel) {
            plain = new PlainWire(channel);
        }

        @Override
        public SocketChannel channel() {
            return plain.channel();
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            boolean before = done;
            done = true;
            return before ? plain.read(target) : 0;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            return done ? plain.write(source) : 0;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            return done ? plain.write(sources, offset, length) : 0;
        }

        @Override
        public long write(ByteBuffer[] sources) throws IOException {
            return write(sources, 0, sources.length);
        }

        @Override
        public void drain() throws IOException {
            plain.drain();
        }

        @Override
        public int pending() {
            return plain.pending();
        }
    }

    /** Leads to a server's port, by such bytes. */
    private record LateAddress(TcpAddress place) implements StreamAddress {

        @Override
        public String text() {
            return place.text();
        }

        @Override
        public List<SocketAddress> resolve() throws IOException {
            return place.resolve();
        }

        @Override
        public SocketChannel open() throws IOException {
            return place.open();
        }

        @Override
        public void prepare(SocketChannel channel) throws IOException {
            place.prepare(channel);
        }

        @Override
        public Wire clientWire(SocketChannel channel) {
            return new LateWire(channel);
        }

        @Override
        public InetAddress peerHost(SocketChannel channel) throws IOException {
            return place.peerHost(channel);
        }

        @Override
        public ServerSocketChannel listen(int backlog) throws IOException {
            return place.listen(backlog);
        }

        @Override
        public String listening(ServerSocketChannel channel) throws IOException {
            return place.listening(channel);
        }
    }

    /** The bytes that end a hand-shake may come between the attempt to say a hello and the look for its answer. */
    @Test
    void aHelloIsSaidWhereTheHandShakeEndsInTheLookForItsAnswer() {
        try (RpcServer server = RpcServer.builder().bind("tcp://127.0.0.1:0").service(Adder.class, Integer::sum)
                .start();
                StreamClient client =
                        new StreamClient(new LateAddress(TcpAddress.parse(server.address())), Clock.SYSTEM)) {
            Hello asked = Hello.request(Protocol.CALLS, 2, 512, 1 << 20);
            Connected made = client.connect(asked, TIMEOUT_NS);
            assertEquals(2, made.granted().units());
            made.close();
        }
    }
}
