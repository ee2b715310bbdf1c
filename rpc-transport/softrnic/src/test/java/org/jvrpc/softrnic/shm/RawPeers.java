package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;

/** A device with a listener by a clock of the test's, and peers that are bare sockets. One thread. */
final class RawPeers implements AutoCloseable {

    static final byte[] WORD = "a word".getBytes(StandardCharsets.US_ASCII);

    long nowNs = 1_000_000_000L;
    /** How often somebody looked at the clock. */
    int looks;
    final Device device = ShmUnderTest.open(() -> {
        looks++;
        return nowNs;
    });
    final EventChannel channel = device.createChannel();
    final Listener listener = device.listen(SharedMemoryFolder.freshAddress(), channel);
    final Path socket = ShmDirectory.socket(SharedMemoryFolder.path(), name(listener));
    private final List<AutoCloseable> made = new ArrayList<>();

    static String name(Listener listener) {
        return listener.address().substring("shm://".length());
    }

    /** Makes a QP in INIT. */
    ShmEnd end() {
        return keep(new ShmEnd(device, 4, null, channel));
    }

    /** The same, whose memory has a slab of its own. */
    ShmEnd large() {
        return keep(new ShmEnd(device, 1 << 14, null, channel, with -> with.sges(1, 4)));
    }

    /** Returns true when the slab of a large QP that was closed serves one of the next, or their other memory. */
    boolean isUsedAgain(byte[] endpoint) {
        return isUsedAgain(ShmEndpoint.decode("test", endpoint).address());
    }

    /** The same, for other memory of a size alike. */
    boolean isUsedAgain(long address) {
        Set<Integer> slabs = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            ShmEnd next = large();
            slabs.add(Slab.segmentOf(ShmEndpoint.decode("test", next.qp.endpoint()).address()));
            slabs.add(Slab.segmentOf(next.mr.address()));
        }
        return slabs.contains(Slab.segmentOf(address));
    }

    <T extends AutoCloseable> T keep(T child) {
        made.add(0, child);
        return child;
    }

    /** Connects a peer and has it accepted. */
    SocketChannel peer() throws IOException {
        SocketChannel peer = keep(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
        peer.configureBlocking(false);
        assertFalse(channel.await(0), "it asks for nothing yet");
        return peer;
    }

    /** Returns true when it was an event for who waits. */
    boolean say(SocketChannel peer, CmFrame frame) throws IOException {
        frame.write(peer);
        return channel.await(0);
    }

    /** Has a peer ask to be connected to a QP, and returns what the listener offers. */
    ConnectionRequest ask(SocketChannel peer, byte[] endpoint) throws IOException {
        assertTrue(say(peer, CmFrame.of(CmFrame.REQUEST, endpoint, WORD)), "a request is an event");
        return listener.poll();
    }

    /** Returns the answer, which is there. */
    static CmFrame heard(SocketChannel peer) throws IOException {
        CmFrame answer = new CmFrame.Reader().read(peer);
        assertEquals(CmFrame.VERSION, answer.version());
        return answer;
    }

    /** Returns true when the other side has closed the socket. */
    static boolean isEnded(SocketChannel peer) throws IOException {
        return peer.read(ByteBuffer.allocate(1)) < 0;
    }

    /** Returns how many sockets this process has open. */
    static long sockets() throws IOException {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(RawPeers::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    /** Makes a folder as of a device of another process, with a copy of the slab that a QP's context lies in. */
    Path elsewhere(String name, byte[] endpoint) throws IOException {
        ShmEndpoint original = ShmEndpoint.decode("test", endpoint);
        Path from = SharedMemoryFolder.path().resolve(original.device());
        Path folder = Files.createDirectory(from.resolveSibling(name), ShmDirectory.OWNER_ONLY);
        Files.createFile(folder.resolve("lock"));
        try (var slabs = Files.newDirectoryStream(from, "[0-9]*")) {
            for (Path slab : slabs) {
                Files.copy(slab, folder.resolve(slab.getFileName()));
            }
        }
        return folder;
    }

    /** Returns the endpoint that the copy of a QP has. */
    static byte[] endpoint(String name, byte[] original) {
        return new ShmEndpoint(ShmEndpoint.decode("test", original).address(), name).encode();
    }

    @Override
    public void close() {
        try {
            for (AutoCloseable child : made) {
                child.close();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        } finally {
            device.close();
        }
    }
}
