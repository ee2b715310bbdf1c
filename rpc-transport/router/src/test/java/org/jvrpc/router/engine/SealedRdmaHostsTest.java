package org.jvrpc.router.engine;

import org.jvrpc.runtime.NeedsRdmaDevices;

/** The same over the devices of two hosts, with all messages between them sealed, and so copied. */
@NeedsRdmaDevices
final class SealedRdmaHostsTest extends TwoHostsTest {

    @Override
    boolean seals() {
        return true;
    }

    @Override
    TwoHosts hosts() {
        return new TwoHosts(seals(), "rdma://10.9.0.1:0", "rdma://10.9.0.2:0");
    }
}
