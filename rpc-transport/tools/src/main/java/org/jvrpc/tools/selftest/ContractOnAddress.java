package org.jvrpc.tools.selftest;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
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

    @Override
    public boolean attaches() {
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
}
