package org.jvrpc.ibverbs;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.contract.DeviceUnderTest;

/** Devices of rxe under the contract, by either driver; they are at the two ends of a link. */
public interface RxeUnderTest extends DeviceUnderTest {

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
    default String address() {
        return "rdma://10.9.0." + (oneDevice() ? 1 : 2) + ":" + PORT.getAndIncrement();
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
    default boolean dropsLongDatagrams() {
        return false;
    }

    @Override
    default boolean looksHereFirst() {
        return false;
    }

    /** rxe's responder calls a receive that is too short a fault of its own. */
    @Override
    default WcStatus tooLong() {
        return WcStatus.REM_OP_ERR;
    }

    @Override
    default boolean limitsWideQueues() {
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
