package org.jvrpc.softrnic.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
        String[] devices = SharedMemoryFolder.path().toFile().list((folder, name) -> name.startsWith("d-"));
        assertEquals(1, devices.length, () -> "of dead processes, too: " + List.of(devices));
        device.listen(address, channel).close(); // the name is free
    }

    @Override
    public String toString() {
        return "devices at " + SharedMemoryFolder.path();
    }
}
