package org.jvrpc.softrnic;

import java.util.function.LongSupplier;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.contract.DeviceUnderTest;

/** The software RNIC under the contract. */
public interface ShmUnderTest extends DeviceUnderTest {

    /** Opens a device in the folder of the test. */
    static Device open() {
        SharedMemoryFolder.path(); // fails where it would be the user's own folder
        return Devices.open("shm://any");
    }

    /** The same, for a device with a clock of the test's. */
    static Device open(LongSupplier clock) {
        SharedMemoryFolder.path();
        return SoftDevice.open(clock);
    }

    @Override
    default Device openDevice() {
        return open();
    }

    @Override
    default boolean pushes() {
        return true;
    }

    @Override
    default String address() {
        return SharedMemoryFolder.freshAddress();
    }
}
