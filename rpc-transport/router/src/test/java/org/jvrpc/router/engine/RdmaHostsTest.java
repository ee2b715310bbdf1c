package org.jvrpc.router.engine;

import org.jvrpc.runtime.NeedsRdmaDevices;

/** The same over the devices of two hosts: long messages are READ by them from memory that is registered for that. */
@NeedsRdmaDevices
final class RdmaHostsTest extends TwoHostsTest {

    @Override
    TwoHosts hosts() {
        return new TwoHosts(seals(), "rdma://10.9.0.1:0", "rdma://10.9.0.2:0");
    }
}
