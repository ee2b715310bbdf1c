package org.jvrpc.verbs.contract;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.verbs.WcStatus;

/** A device that the kernel knows, a card or rdma_rxe: what it does not have, or does in another way than asked for. */
public interface RealDeviceUnderTest extends DeviceUnderTest {

    /** Returns the name of the device that the kernel has for it, for instance {@code mlx5_0}. */
    String kernelName();

    /** Returns true on a device of rdma_rxe: the only driver that names a parent network device in sysfs. */
    default boolean isRxe() {
        return Files.exists(Path.of("/sys/class/infiniband", kernelName(), "parent"));
    }

    @Override
    default boolean adopts() {
        return true;
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

    @Override
    default boolean limitsWideQueues() {
        return false;
    }

    @Override
    default boolean listensAnywhere() {
        return false;
    }

    /** rxe's responder calls a receive that is too short a fault of its own. */
    @Override
    default WcStatus tooLong() {
        return isRxe() ? WcStatus.REM_OP_ERR : WcStatus.REM_INV_REQ_ERR;
    }

    @Override
    default int rounds(int wanted) {
        return isRxe() ? Math.max(1, wanted / 20) : wanted;
    }
}
