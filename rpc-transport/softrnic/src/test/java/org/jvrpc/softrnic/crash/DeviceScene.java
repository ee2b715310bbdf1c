package org.jvrpc.softrnic.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.util.List;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Device;

/** The child opens a device, makes one of each object, listens, and closes all: others open and listen, too. */
final class DeviceScene extends Scene {

    private String address;

    @Override
    public List<String> begin() {
        address = SharedMemoryFolder.freshAddress();
        return List.of(address);
    }

    /**
     * Returns what lies in the folder but for locks of names, and for folders of devices without a lock and without
     * memory: they may be ones that are just being made, and go after a minute.
     */
    static List<String> left() {
        return List.of(SharedMemoryFolder.path().toFile().list((folder, name) -> !name.endsWith(".lock")
                && !List.of(List.of(), List.of("lock.new")).contains(files(new File(folder, name)))));
    }

    private static List<String> files(File folder) {
        String[] files = folder.list();
        return files == null ? List.of("no folder") : List.of(files);
    }

    @Override
    public void step() {
        channel.await(0);
    }

    @Override
    public void others() {
        try (Device another = ShmUnderTest.open()) {
            new ShmEnd(another, 1).close();
            another.listen(SharedMemoryFolder.freshAddress(), another.createChannel()).close();
        }
    }

    @Override
    public void end(boolean whole) {
        others();
        List<String> devices = left();
        assertEquals(1, devices.size(), () -> "of dead processes, too: " + devices);
        device.listen(address, channel).close(); // the name is free
    }

    @Override
    public String toString() {
        return "devices at " + SharedMemoryFolder.path();
    }
}
