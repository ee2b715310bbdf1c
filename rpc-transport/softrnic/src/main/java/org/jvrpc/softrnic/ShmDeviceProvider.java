package org.jvrpc.softrnic;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.DeviceProvider;

/** Opens software RNICs for {@code shm://name}. */
public final class ShmDeviceProvider implements DeviceProvider {

    @Override
    public String scheme() {
        return "shm";
    }

    @Override
    public Device open() {
        return SoftDevice.open(System::nanoTime);
    }
}
