package org.jvrpc.runtime.contract;

/** What the contract suites ask of whoever runs them over a device. */
public interface RpcUnderTest {

    /** Returns an address at which nobody listens, of the device that is tested. */
    String newAddress();

    /** Returns where clients connect to reach a server that listens at an address. */
    default String clientAddress(String serverAddress) {
        return serverAddress;
    }

    /** Returns the process in which the servers of one test run. */
    default ServerProcess serverProcess() {
        return new ThisProcess();
    }

    /** Returns where servers see clients, as text: "null" for shared memory. */
    default String clientHost() {
        return "null";
    }

    /** Returns how many times slower the device may be than shared memory: less is done on it, in more time. */
    default int slower() {
        return 1;
    }

    /** Returns the longest body that the device is tested with, in bytes. */
    default long longestBody() {
        return 1L << 30;
    }
}
