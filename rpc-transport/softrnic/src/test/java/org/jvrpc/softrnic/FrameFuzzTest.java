package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;
import org.jvrpc.verbs.contract.Pattern;

/** Frames of connection management and endpoints that a peer made wrong: refused, and the next one gets in. */
final class FrameFuzzTest {

    private static final int FRAMES = 2000;
    private static final int ENDPOINTS = 20_000;

    private static byte[] request(ShmEnd end) {
        byte[] endpoint = end.qp.endpoint();
        ByteBuffer frame = ByteBuffer.allocate(14 + endpoint.length + 5).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(0x6d63766a).putShort((short) 1).put((byte) 1).put((byte) 0);
        frame.putInt(2 + endpoint.length + 5).putShort((short) endpoint.length).put(endpoint);
        return frame.put("hello".getBytes(StandardCharsets.US_ASCII)).array();
    }

    private static byte[] damaged(byte[] bytes, SplittableRandom random) {
        byte[] damaged = random.nextInt(4) == 0
                ? Arrays.copyOf(bytes, random.nextInt(bytes.length * 2)) : bytes.clone();
        for (int n = random.nextInt(4); n > 0 && damaged.length > 0; n--) {
            int at = random.nextBoolean() ? random.nextInt(Math.min(22, damaged.length))
                    : random.nextInt(damaged.length);
            damaged[at] = (byte) (random.nextBoolean() ? random.nextInt() : damaged[at] ^ 1 << random.nextInt(8));
        }
        return damaged;
    }

    @Test
    void aListenerOutlivesFramesThatMakeNoSense() throws IOException {
        SplittableRandom random = new SplittableRandom(Pattern.seed("aListenerOutlivesFramesThatMakeNoSense"));
        try (Device device = ShmUnderTest.open()) {
            EventChannel channel = device.createChannel();
            String address = SharedMemoryFolder.freshAddress();
            Listener listener = device.listen(address, channel);
            UnixDomainSocketAddress socketAddress = UnixDomainSocketAddress.of(
                    SharedMemoryFolder.path().resolve(address.substring("shm://".length()) + ".sock"));
            try (ShmEnd model = new ShmEnd(device, 1, null, channel)) {
                byte[] good = request(model);
                for (int i = 0; i < FRAMES; i++) {
                    try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                        socket.connect(socketAddress);
                        socket.write(ByteBuffer.wrap(damaged(good, random)));
                        channel.await(0);
                        channel.await(0);
                        answer(device, channel, listener);
                    }
                    channel.await(0);
                }
            }
            accepts(device, address, listener, channel);
        }
    }

    private static void answer(Device device, EventChannel channel, Listener listener) {
        ConnectionRequest request = listener.poll();
        if (request != null) {
            try (ShmEnd end = new ShmEnd(device, 1, null, channel)) {
                request.accept(end.qp, new byte[0]).close();
            } catch (ConnectionException e) {
                assertTrue(e.getMessage().length() > 0);
            }
        }
    }

    private static void accepts(Device device, String address, Listener listener, EventChannel channel) {
        try (ShmEnd active = new ShmEnd(device, 1); ShmEnd passive = new ShmEnd(device, 1, null, channel)) {
            Background<Connection> connector = Background.start("connector", () -> device.connect(
                    address, active.qp, new byte[0], active.channel, Deadline.BOUND_NS));
            Deadline deadline = Deadline.usual();
            ConnectionRequest request = listener.poll();
            while (request == null) {
                channel.await(1_000_000);
                request = listener.poll();
                deadline.turn(() -> "the listener does not accept any more");
            }
            request.accept(passive.qp, new byte[0]);
            assertTrue(connector.join(60).isConnected());
        }
    }

    @Test
    void anEndpointThatMakesNoSenseIsRefusedByAVerbsException() {
        SplittableRandom random = new SplittableRandom(Pattern.seed("anEndpointThatMakesNoSense"));
        try (Device device = ShmUnderTest.open(); ShmEnd peer = new ShmEnd(device, 1)) {
            byte[] good = peer.qp.endpoint();
            for (int i = 0; i < ENDPOINTS / 100; i++) {
                try (ShmEnd end = new ShmEnd(device, 1, null, peer.channel)) {
                    for (int k = 0; k < 100 && end.qp.state() == QueuePairState.INIT; k++) {
                        byte[] bad = damaged(good, random);
                        if (!Arrays.equals(bad, good)) {
                            assertThrows(VerbsException.class, () -> end.qp.connect(bad),
                                    () -> HexFormat.of().formatHex(bad));
                        }
                    }
                }
            }
        }
    }
}
