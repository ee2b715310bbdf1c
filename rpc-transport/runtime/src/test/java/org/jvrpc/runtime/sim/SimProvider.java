package org.jvrpc.runtime.sim;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.DeviceProvider;

/** Devices for {@code sim://name}, of the process that runs in the current {@link World}. */
public final class SimProvider implements DeviceProvider {

    @Override
    public String scheme() {
        return "sim";
    }

    @Override
    public Device open() {
        World world = World.current();
        if (world == null || world.running() == null) {
            throw new IllegalStateException("sim:// is for threads of a simulated process");
        }
        return world.running().openDevice();
    }
}
