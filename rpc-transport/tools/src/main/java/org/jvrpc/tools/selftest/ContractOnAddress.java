package org.jvrpc.tools.selftest;

import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.contract.QueuePairContract;

/** The contract suites on the device of an address. Made by JUnit, hence the address in a system property. */
final class ContractOnAddress extends QueuePairContract {

    static final String ADDRESS = "jvrpc.selftest.address";
    private static final AtomicInteger NAMES = new AtomicInteger();

    private static String given() {
        return System.getProperty(ADDRESS);
    }

    private static boolean isSoftware() {
        return given().startsWith("shm://");
    }

    @Override
    public Device openDevice() {
        return Devices.open(given());
    }

    @Override
    public String address() {
        return isSoftware() ? given() + "-" + ProcessHandle.current().pid() + "-" + NAMES.incrementAndGet() : given();
    }

    @Override
    public boolean attaches() {
        return isSoftware();
    }

    @Override
    public boolean shares() {
        return isSoftware();
    }

    @Override
    public boolean disarms() {
        return isSoftware();
    }
}
