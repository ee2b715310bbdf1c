package org.jvrpc.runtime.verbs;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.DeviceProvider;

/** Devices for {@code still://name}: the one that this thread said is the next. */
public final class StillDevices implements DeviceProvider {

    private static final ThreadLocal<Device> NEXT = new ThreadLocal<>();

    public static void next(StillDevice device) {
        NEXT.set(device.device());
    }

    @Override
    public String scheme() {
        return "still";
    }

    @Override
    public Device open() {
        return NEXT.get();
    }
}
