package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
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
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private static long descriptors() {
        try (var list = Files.list(DESCRIPTORS)) {
            return list.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Mappings of the arena folder in this process. */
    private static long mappings() {
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(ShmUnderTest.FOLDER.toString())).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long files() {
        try (var walk = Files.walk(ShmUnderTest.FOLDER)) {
            return walk.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

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

    private static void settle(String what, LongSupplier count, long most) {
        Deadline.until(what + " to come down to " + most, () -> {
            System.gc();
            return count.getAsLong() <= most;
        }, () -> "there are " + count.getAsLong());
    }

    @Test
    void aThousandConnectionsLeaveNoDescriptorsMappingsOrFiles() {
        try (Device left = ShmUnderTest.open(); Device right = ShmUnderTest.open()) {
            EventChannel[] channels = {left.createChannel(), right.createChannel()};
            try (Listener listener = right.listen(ShmUnderTest.freshAddress(), channels[1])) {
                for (int i = 0; i < 20; i++) {
                    connectOnce(left, right, listener, channels);
                }
                settle("mappings", LeakTest::mappings, 40);
                long descriptors = descriptors();
                long files = files();
                for (int i = 0; i < ROUNDS; i++) {
                    connectOnce(left, right, listener, channels);
                }
                settle("descriptors", LeakTest::descriptors, descriptors);
                assertTrue(files() <= files + 4, "files before " + files + " and after " + files());
                settle("mappings", LeakTest::mappings, 40);
            }
        }
    }

    @Test
    void twoHundredDevicesLeaveNothing() {
        ShmUnderTest.open().close();
        long descriptors = descriptors();
        long files = files();
        for (int i = 0; i < 200; i++) {
            Device device = ShmUnderTest.open();
            device.createChannel();
            device.allocatePd().allocate(4096, 0);
            device.close();
        }
        settle("descriptors", LeakTest::descriptors, descriptors);
        assertEquals(files, files());
        settle("mappings", LeakTest::mappings, 40);
    }
}
