package org.jvrpc.tools.selftest;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.contract.QueuePairContract;

/** The contract suites on the device of an address. Made by JUnit, hence the address in a system property. */
final class ContractOnAddress extends QueuePairContract {

    static final String ADDRESS = "jvrpc.selftest.address";
    private static final int FIRST_PORT = 22_000;
    private static final AtomicInteger USED = new AtomicInteger();

    private static String given() {
        return System.getProperty(ADDRESS);
    }

    private static boolean isSoftware() {
        return given().startsWith("shm://");
    }

    /** Returns the address of another listener of the same host and device. */
    static String another(String address, int number) {
        return address.startsWith("rdma://")
                ? address.replaceFirst(":\\d+($|\\?)", ":" + (FIRST_PORT + number) + "$1")
                : address + "-" + ProcessHandle.current().pid() + "-" + number;
    }

    @Override
    public Device openDevice() {
        return Devices.open(given());
    }

    @Override
    public String address() {
        return another(given(), USED.incrementAndGet());
    }

    // What real devices lack, or do in another way; some of them lack less.

    @Override
    public boolean attaches() {
        return isSoftware();
    }

    @Override
    public boolean knowsPeers() {
        return isSoftware();
    }

    @Override
    public boolean keepsUserMemory() {
        return isSoftware();
    }

    @Override
    public boolean listensAnywhere() {
        return isSoftware();
    }

    @Override
    public boolean dropsLongDatagrams() {
        return isSoftware();
    }

    @Override
    public boolean limitsWideQueues() {
        return isSoftware();
    }

    @Override
    public boolean looksHereFirst() {
        return isSoftware();
    }

    @Override
    public boolean armsFromNow() {
        return isSoftware();
    }

    @Override
    public boolean disarms() {
        return isSoftware();
    }

    @Override
    public boolean postsMisalignedAtomics() {
        return !driverIs("generic");
    }

    /** rxe's responder calls a receive that is too short a fault of its own; its generic driver translates. */
    @Override
    public WcStatus tooLong() {
        return driverIs("rxe") ? WcStatus.REM_OP_ERR : WcStatus.REM_INV_REQ_ERR;
    }

    /** libmlx5 rounds up to more than was asked for. */
    @Override
    public int roomOf(int depth) {
        return driverIs("mlx5") ? 2 * depth : depth;
    }

    /** Devices say their driver behind their name. */
    private static boolean driverIs(String name) {
        try (Device device = Devices.open(given())) {
            return device.name().endsWith("(" + name + ")");
        }
    }
}
