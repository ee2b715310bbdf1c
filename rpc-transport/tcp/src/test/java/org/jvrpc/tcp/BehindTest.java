package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.testing.Waits;

/** What found no room in the socket leaves when there is some, though nobody sends any more. */
class BehindTest {

    private static final int PIECE_BYTES = 1 << 16;
    private static final int FRAMES = 512;
    private static final long LONG_NS = 60_000_000_000L;

    @TempDir
    private Path folder;

    @Test
    void framesOfAnotherThreadThanTheOneThatSleepsLeave() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CountDownLatch go = new CountDownLatch(1);
            AtomicInteger frames = new AtomicInteger();
            Thread peer = new Thread(() -> serve(server, go, frames), "peer");
            peer.start();
            String address = "tcp://127.0.0.1:" + server.getLocalPort();
            MessageClient client = MessageClient.builder(address, (session, frame) -> { })
                    .window(1024).pieceBytes(PIECE_BYTES).connect();
            Thread polls = new Thread(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    client.poll(LONG_NS);
                }
            }, "polls");
            polls.start();
            Waits.until("it to sleep", () -> Arrays.stream(polls.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("select")));
            ByteBuffer bytes = ByteBuffer.allocate(PIECE_BYTES);
            for (int i = 0; i < FRAMES; i++) {
                assertTrue(client.send(bytes));
            }
            go.countDown();
            Waits.until("all frames to arrive", () -> frames.get() == FRAMES, frames::get);
            polls.interrupt();
            client.wakeup();
            polls.join();
            client.close();
            peer.join();
        }
    }

    private static void serve(ServerSocket server, CountDownLatch go, AtomicInteger frames) {
        try (Socket socket = server.accept()) {
            InputStream in = socket.getInputStream();
            byte[] head = in.readNBytes(Greeting.HEAD_BYTES);
            Hello asked = Hello.decode(in.readNBytes(ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN)
                    .getInt(Greeting.HEAD_BYTES - Integer.BYTES)));
            socket.getOutputStream().write(Greeting.of(Greeting.HELLO, asked.grant(1 << 20, 1).encode()).array());
            go.await();
            byte[] message = new byte[4 + 16 + PIECE_BYTES];
            for (DataInputStream all = new DataInputStream(in); frames.get() < FRAMES; frames.incrementAndGet()) {
                all.readFully(message);
            }
            in.readAllBytes();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void oneWayCallsLeave() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger told = new AtomicInteger();
        Calls calls = (Calls) Proxy.newProxyInstance(Calls.class.getClassLoader(), new Class<?>[] {Calls.class},
                (proxy, method, arguments) -> {
                    go.await();
                    told.incrementAndGet();
                    return null;
                });
        try (RpcServer server = RpcServer.builder().bind("unix://" + folder.resolve("s"))
                .service(Calls.class, calls).start();
                RpcClient client = RpcClient.builder(server.address()).slots(64).initialSlots(64)
                        .slotBytes(1 << 16).deadline(Duration.ofSeconds(10)).connect()) {
            Calls stub = client.stub(Calls.class);
            byte[] bytes = new byte[60_000];
            int count = 12; // fewer than those after which the server gives credits back
            for (int i = 0; i < count; i++) {
                stub.tell(bytes);
            }
            go.countDown();
            Waits.until("all calls to be made", () -> told.get() == count, told::get);
            assertEquals(count, told.get());
        }
    }
}
