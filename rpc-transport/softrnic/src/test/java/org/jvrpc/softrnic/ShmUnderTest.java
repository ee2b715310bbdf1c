package org.jvrpc.softrnic;

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

    @Override
    default Device openDevice() {
        return open();
    }

    @Override
    default String address() {
        return SharedMemoryFolder.freshAddress();
    }
}
