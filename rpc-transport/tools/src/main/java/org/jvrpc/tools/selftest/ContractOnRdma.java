package org.jvrpc.tools.selftest;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.contract.QueuePairContract;
import org.jvrpc.verbs.contract.RealDeviceUnderTest;

/** The contract suites on the device of an {@code rdma://} address; between QPs of that one. */
final class ContractOnRdma extends QueuePairContract implements RealDeviceUnderTest {

    /** Devices say their driver behind their name. */
    private static final String DRIVER = " (";
    private static final String NAME = name();

    @Override
    public Device openDevice() {
        return Devices.open(ContractRun.address());
    }

    @Override
    public boolean oneDevice() {
        return true;
    }

    @Override
    public String address() {
        return ContractRun.anotherAddress();
    }

    @Override
    public String kernelName() {
        return NAME.substring(0, NAME.indexOf(DRIVER));
    }

    private static String name() {
        try (Device device = Devices.open(ContractRun.address())) {
            return device.name();
        }
    }

    @Override
    public boolean disarms() {
        return false;
    }

    /** libibverbs' providers may look at the address. */
    @Override
    public boolean postsMisalignedAtomics() {
        return !NAME.endsWith(DRIVER + "generic)");
    }

    /** libmlx5 rounds up to more than was asked for. */
    @Override
    public int roomOf(int depth) {
        return isRxe() ? depth : 2 * depth;
    }
}
