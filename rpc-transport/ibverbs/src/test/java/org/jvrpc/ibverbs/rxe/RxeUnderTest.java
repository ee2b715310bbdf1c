package org.jvrpc.ibverbs.rxe;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.contract.DeviceUnderTest;

/** rxe's user driver under the contract: devices are opened in turn, so that those of a test are two. */
interface RxeUnderTest extends DeviceUnderTest {

    AtomicInteger OPENED = new AtomicInteger();
    AtomicInteger PORT = new AtomicInteger(21000);

    /** Opens a device by its number. */
    static Device open(int number) {
        return Devices.open("rdma://10.9.0." + (number + 1) + ":0?device=rxe" + number + "&driver=user");
    }

    @Override
    default Device openDevice() {
        return open(oneDevice() ? 0 : OPENED.getAndIncrement() & 1);
    }

    @Override
    default String address() {
        return "rdma://10.9.0.1:" + PORT.getAndIncrement();
    }

    @Override
    default boolean attaches() {
        return false;
    }

}
