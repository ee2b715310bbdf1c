package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** What happens to those who listen when something happens to their folder. */
class ListenerTest {

    private static void deleteAll(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).filter(file -> !file.equals(folder))
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void connects(Device client, Device server, Listener listener, EventChannel channel) {
        EventChannel own = client.createChannel();
        try (ShmEnd active = new ShmEnd(client, 4, null, own);
                ShmEnd passive = new ShmEnd(server, 4, null, channel)) {
            Background<Connection> connector = Background.start("connector", () -> client.connect(
                    listener.address(), active.qp, new byte[8], own, Deadline.BOUND_NS));
            ConnectionRequest[] request = new ConnectionRequest[1];
            Deadline.until("a request", () -> {
                channel.await(1_000_000);
                request[0] = listener.poll();
                return request[0] != null;
            });
            try (Connection accepted = request[0].accept(passive.qp, new byte[8]);
                    Connection connected = connector.join(60)) {
                assertTrue(accepted.isConnected() && connected.isConnected());
            }
        }
        own.close();
    }

    @Test
    void aFolderThatIsDeletedUnderItsListenersIsMadeAgain() {
        try (SoftDevice server = (SoftDevice) ShmUnderTest.open(); SoftDevice client = (SoftDevice) ShmUnderTest.open();
                EventChannel channel = server.createChannel();
                Listener listener = server.listen(SharedMemoryFolder.freshAddress(), channel)) {
            connects(client, server, listener, channel);
            deleteAll(SharedMemoryFolder.path());
            String name = listener.address().substring("shm://".length());
            Path socket = ShmDirectory.socket(SharedMemoryFolder.path(), name);
            Deadline.until("the address to be bound again", () -> {
                channel.await(1_000_000);
                return Files.exists(socket);
            });
            connects(client, server, listener, channel);
            assertTrue(Files.exists(server.folder()) && Files.exists(client.folder()));
        }
    }

    @Test
    void aSilentPeerMakesWayForOthers() throws IOException {
        List<SocketChannel> mute = new ArrayList<>();
        try (SoftDevice server = (SoftDevice) ShmUnderTest.open(); SoftDevice client = (SoftDevice) ShmUnderTest.open();
                EventChannel channel = server.createChannel();
                Listener listener = server.listen(SharedMemoryFolder.freshAddress(), channel)) {
            String name = listener.address().substring("shm://".length());
            UnixDomainSocketAddress socket =
                    UnixDomainSocketAddress.of(ShmDirectory.socket(SharedMemoryFolder.path(), name));
            for (int i = 0; i < 300; i++) {
                mute.add(SocketChannel.open(socket));
                channel.await(0);
            }
            ByteBuffer nothing = ByteBuffer.allocate(1);
            for (SocketChannel first : mute.subList(0, 44)) {
                assertEquals(-1, first.read(nothing), "256 may say nothing");
            }
            connects(client, server, listener, channel);
        } finally {
            for (SocketChannel peer : mute) {
                peer.close();
            }
        }
    }

    private static void listenOnce() {
        try (Device device = ShmUnderTest.open(); EventChannel channel = device.createChannel()) {
            device.listen(SharedMemoryFolder.freshAddress(), channel).close();
        }
    }

    @Test
    void theSocketOfAKilledProcessIsSweptByTheNextListener() {
        String address = SharedMemoryFolder.freshAddress();
        Path socket = ShmDirectory.socket(SharedMemoryFolder.path(), address.substring("shm://".length()));
        try (ChildJvm child = PeerMain.start("mute", address)) {
            child.expect("LISTENING");
            assertTrue(Files.exists(socket));
            listenOnce();
            assertTrue(Files.exists(socket), "swept from under a living process");
        }
        Deadline.until("the socket to be swept", () -> {
            listenOnce();
            return !Files.exists(socket);
        });
        assertFalse(Files.exists(socket));
    }

    /** The child accepts until no descriptor is left; then some descriptors come free, and it goes on. */
    @Test
    void aListenerWithoutDescriptorsSaysSoOnceAndGoesOnLater() {
        String address = SharedMemoryFolder.freshAddress();
        try (ChildJvm child = PeerMain.startBy("ulimit -n 200; exec \"$@\"", "starved", address)) {
            child.expect("LISTENING");
            child.expect("STARVED");
            int warnings = Integer.parseInt(child.expect("WARNINGS"));
            assertTrue(warnings >= 1 && warnings <= 3, "warnings=" + warnings);
            child.expect("ACCEPTED");
        }
    }
}
