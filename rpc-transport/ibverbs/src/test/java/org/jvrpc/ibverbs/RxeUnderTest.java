package org.jvrpc.ibverbs;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.contract.RealDeviceUnderTest;

/** Devices of rxe under the contract, by either driver; they are at the two ends of a link. */
public interface RxeUnderTest extends RealDeviceUnderTest {

    AtomicInteger PORT = new AtomicInteger(21000);

    /**
     * Opens a device.
     *
     * @param number 0 or 1
     * @param driver "user" or "generic"
     */
    static Device open(int number, String driver) {
        return Devices.open("rdma://10.9.0." + (number + 1) + ":0?device=rxe" + number + "&driver=" + driver);
    }

    @Override
    default String kernelName() {
        return "rxe0";
    }

    @Override
    default String address() {
        return "rdma://10.9.0." + (oneDevice() ? 1 : 2) + ":" + PORT.getAndIncrement();
    }
}
