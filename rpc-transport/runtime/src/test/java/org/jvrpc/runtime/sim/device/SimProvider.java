package org.jvrpc.runtime.sim.device;

import org.jvrpc.runtime.sim.world.World;
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
        SimDevice device = new SimDevice(world.running());
        world.running().owns(device);
        return device;
    }
}
