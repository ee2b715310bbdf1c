package org.jvrpc.softrnic;

import java.util.List;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.DeviceInfo;
import org.jvrpc.verbs.DeviceProvider;
import org.jvrpc.verbs.VerbsException;

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

    @Override
    public List<DeviceInfo> list() {
        String state;
        try {
            ShmDirectory.open();
            state = DeviceInfo.READY;
        } catch (VerbsException e) {
            state = e.getMessage();
        }
        return List.of(new DeviceInfo("software RNIC", scheme(), state));
    }
}
