package org.jvrpc.runtime.sim.device;

import org.jvrpc.fabric.host.ManagementPort;
import org.jvrpc.fabric.host.Nic;
import org.jvrpc.roce.cm.CmPeer;
import org.jvrpc.roce.cm.CmSettings;

/** A host of a fabric, which a simulated device is of. */
record FabricHost(Nic nic, ManagementPort management) {

    static FabricHost of(Nic nic) {
        return new FabricHost(nic, nic.management(CmSettings.defaults()));
    }

    CmPeer peer() {
        return ManagementPort.peer(nic.address());
    }
}
