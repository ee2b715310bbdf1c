package org.jvrpc.ibverbs.generic;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.contract.DeviceUnderTest;

/** The generic driver under the contract, on devices of rxe. */
interface GenericUnderTest extends DeviceUnderTest {

    AtomicInteger PORT = new AtomicInteger(22_000);

    /** Opens a device by its number. */
    static Device open(int number) {
        return Devices.open("rdma://10.9.0." + (number + 1) + ":0?device=rxe" + number + "&driver=generic");
    }

    @Override
    default String address() {
        return "rdma://10.9.0.2:" + PORT.getAndIncrement();
    }

    @Override
    default boolean attaches() {
        return false;
    }

    @Override
    default boolean knowsPeers() {
        return false;
    }

    @Override
    default boolean keepsUserMemory() {
        return false;
    }

    /** rxe looks whether the CQ is armed after it wrote the completion, so arming in between makes an event. */
    @Override
    default boolean armsFromNow() {
        return false;
    }

    @Override
    default boolean limitsWideQueues() {
        return false;
    }

    /** libibverbs' provider of rxe looks at the address. */
    @Override
    default boolean postsMisalignedAtomics() {
        return false;
    }

    @Override
    default boolean listensAnywhere() {
        return false;
    }

    @Override
    default int rounds(int wanted) {
        return Math.max(1, wanted / 20);
    }
}
