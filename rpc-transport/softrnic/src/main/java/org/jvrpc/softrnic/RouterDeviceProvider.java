package org.jvrpc.softrnic;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jvrpc.softrnic.router.RouterAddress;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.DeviceInfo;
import org.jvrpc.verbs.DeviceProvider;

/** Opens virtual RNICs at the router of this host, for {@code router://address:port}. */
public final class RouterDeviceProvider implements DeviceProvider {

    private static final String ANY = "router://0.0.0.0:0";

    @Override
    public String scheme() {
        return "router";
    }

    @Override
    public Device open() {
        return open(ANY);
    }

    @Override
    public Device open(String address) {
        return SoftDevice.open(System::nanoTime, new RouterPorts(RouterAddress.parse(address)));
    }

    @Override
    public List<DeviceInfo> list() {
        Path socket = RouterAddress.defaultFolder().resolve("s");
        String state = Files.exists(socket) ? DeviceInfo.READY : "no router: " + socket + " is not there";
        return List.of(new DeviceInfo("virtual RNIC of a router", scheme(), state));
    }
}
