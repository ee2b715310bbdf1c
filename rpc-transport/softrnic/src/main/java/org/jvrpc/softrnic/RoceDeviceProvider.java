package org.jvrpc.softrnic;

import java.net.InetAddress;
import java.util.List;
import org.jvrpc.softrnic.roce.socket.RoceAddress;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.DeviceInfo;
import org.jvrpc.verbs.DeviceProvider;
import org.jvrpc.verbs.VerbsException;

/** Opens software RNICs that send RoCEv2 packets over UDP, for {@code roce://host:port}. */
public final class RoceDeviceProvider implements DeviceProvider {

    @Override
    public String scheme() {
        return "roce";
    }

    @Override
    public Device open() {
        return open(InetAddress.getLoopbackAddress(), 0, false);
    }

    @Override
    public Device open(String address) {
        RoceAddress parsed = RoceAddress.parse(address);
        return open(parsed.near(), parsed.udp(), parsed.loopsInside());
    }

    private static Device open(InetAddress near, int udp, boolean loopsInside) {
        return SoftDevice.open(System::nanoTime, new RocePorts(near, udp, loopsInside));
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
        return List.of(new DeviceInfo("software RNIC over UDP", scheme(), state));
    }
}
