package org.jvrpc.runtime.contract.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.stream.Streams;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;

/**
 * A client's side of a conversation over {@code tcp://}, recorded, and said again: cut, with a reset or without, or
 * with a byte that is another one. {@code -Djvrpc.cut.step=1} takes each of its bytes, else a seed chooses.
 */
public abstract class StreamCutContract extends StreamFixture {

    private static final int STEP = Integer.getInteger("jvrpc.cut.step", 8);
    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());
    private static final int TIMEOUT_MS = 30_000;

    /** What clients said, by connection. */
    private final List<ByteArrayOutputStream> said = new CopyOnWriteArrayList<>();

    private static int port(RpcServer server) {
        return Integer.parseInt(server.address().replaceFirst(".*:", ""));
    }

    private static Socket to(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port);
        socket.setSoTimeout(TIMEOUT_MS);
        return socket;
    }

    private void forward(Socket from, Socket to, ByteArrayOutputStream copy) {
        Await.start(() -> {
            try (from; to) {
                InputStream in = from.getInputStream();
                byte[] bytes = new byte[1 << 16];
                for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                    synchronized (copy) {
                        copy.write(bytes, 0, count);
                    }
                    to.getOutputStream().write(bytes, 0, count);
                }
            }
            return null;
        });
    }

    private byte[] conversation(RpcServer server) throws IOException {
        try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            Await.start(() -> {
                while (true) {
                    Socket client = proxy.accept();
                    Socket there = new Socket(InetAddress.getByName("127.0.0.1"), port(server));
                    ByteArrayOutputStream copy = new ByteArrayOutputStream();
                    said.add(copy);
                    forward(client, there, copy);
                    forward(there, client, new ByteArrayOutputStream());
                }
            });
            try (RpcClient client = RpcClient.connect("tcp://127.0.0.1:" + proxy.getLocalPort())) {
                Feed feed = client.stub(Feed.class);
                assertEquals(6, feed.sum(Streams.writingLongs(writer -> {
                    for (long i = 1; i <= 3; i++) {
                        writer.writeLong(i);
                    }
                })));
                Collector<String> lines = Collector.of(
                        feed.mirror(new Range<>(20, i -> "line " + i, null, impl.cancels)), 3);
                assertEquals("complete", lines.ended());
            }
        }
        synchronized (said.get(1)) { // the first has calls
            return said.get(1).toByteArray();
        }
    }

    /** Says it, and waits until the server has ended the connection, or this side does at once. */
    private static void say(int port, byte[] bytes, int length, boolean reset) throws IOException {
        try (Socket socket = to(port)) {
            OutputStream out = socket.getOutputStream();
            out.write(bytes, 0, length);
            if (reset) {
                socket.setSoLinger(true, 0);
                return;
            }
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            // the server has ended it before all was said
        }
    }

    @Test
    void aConversationThatIsCutOrChangedAnywhereHarmsNobody() throws Exception {
        System.out.println("-Djvrpc.seed=" + SEED);
        RpcServer server = serve(builder -> builder);
        Feed feed = connect(server, builder -> builder).stub(Feed.class);
        byte[] whole = conversation(server);
        assertTrue(whole.length > 200, "bytes=" + whole.length);
        say(port(server), whole, whole.length, false);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int at = random.nextInt(STEP); at < whole.length; at += 1 + random.nextInt(2 * STEP - 1)) {
            say(port(server), whole, at, random.nextBoolean());
            byte[] changed = whole.clone();
            changed[at] ^= (byte) (1 + random.nextInt(255));
            say(port(server), changed, changed.length, random.nextBoolean());
        }
        assertEquals(10, feed.sum(new Range<>(5, Long::valueOf, null, impl.cancels)));
        server.shutdown();
        assertTrue(server.awaitTermination(Duration.ofSeconds(30)), "streams of those who were cut are under way");
    }
}
