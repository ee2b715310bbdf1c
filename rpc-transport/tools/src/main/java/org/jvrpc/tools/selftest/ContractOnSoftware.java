package org.jvrpc.tools.selftest;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.contract.QueuePairContract;

/** The contract suites on the software RNIC. */
final class ContractOnSoftware extends QueuePairContract {

    @Override
    public Device openDevice() {
        return Devices.open(ContractRun.address());
    }

    @Override
    public String address() {
        return ContractRun.anotherAddress();
    }
}
