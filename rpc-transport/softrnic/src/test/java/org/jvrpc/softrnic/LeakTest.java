package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.Holdings;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** A thousand connections come and go, and nothing stays: descriptors, mappings, files. */
final class LeakTest {

    private static final int ROUNDS = 1000;
    /** A device takes pieces from one slab or another; the JVM starts threads and loads classes as it likes. */
    private static final Holdings ROOM = new Holdings(0, 8, 4, 4);

    private static void connectOnce(Device left, Device right, Listener listener, EventChannel[] channels) {
        try (ShmEnd active = new ShmEnd(left, 4, null, channels[0]);
                ShmEnd passive = new ShmEnd(right, 4, null, channels[1])) {
            Background<Connection> connector = Background.start("connector", () -> left.connect(
                    listener.address(), active.qp, new byte[8], channels[0], Deadline.BOUND_NS));
            ConnectionRequest[] request = new ConnectionRequest[1];
            Deadline.until("a request", () -> {
                channels[1].await(1_000_000);
                request[0] = listener.poll();
                return request[0] != null;
            });
            try (Connection accepted = request[0].accept(passive.qp, new byte[8])) {
                Connection connected = connector.join(60);
                assertTrue(accepted.isConnected() && connected.isConnected());
                connected.close();
            }
            channels[0].await(0);
            channels[1].await(0);
        }
    }

    @Test
    void aThousandConnectionsLeaveNoDescriptorsMappingsOrFiles() {
        try (Device left = ShmUnderTest.open(); Device right = ShmUnderTest.open()) {
            EventChannel[] channels = {left.createChannel(), right.createChannel()};
            try (Listener listener = right.listen(SharedMemoryFolder.freshAddress(), channels[1])) {
                for (int i = 0; i < 20; i++) {
                    connectOnce(left, right, listener, channels);
                }
                Holdings before = Holdings.settled();
                for (int i = 0; i < ROUNDS; i++) {
                    connectOnce(left, right, listener, channels);
                }
                Holdings.awaitNoMoreThan(before, ROOM);
            }
        }
    }

    /** What it was to try again, for instance to sweep up after a dead peer, goes with it. */
    @Test
    void aChannelThatIsClosedIsForgotten() {
        try (Device device = ShmUnderTest.open()) {
            EventChannel channel = device.createChannel();
            channel.close();
            WeakReference<EventChannel> closed = new WeakReference<>(channel);
            channel = null;
            Waits.until("the collector to take it", () -> {
                System.gc();
                return closed.get() == null;
            });
        }
    }

    @Test
    void twoHundredDevicesLeaveNothing() {
        ShmUnderTest.open().close();
        Holdings before = Holdings.settled();
        for (int i = 0; i < 200; i++) {
            Device device = ShmUnderTest.open();
            device.createChannel();
            device.allocatePd().allocate(4096, 0);
            device.close();
        }
        Holdings.awaitNoMoreThan(before, new Holdings(0, 0, 4, 0));
    }
}
