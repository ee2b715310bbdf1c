package org.jvrpc.runtime;

import java.util.concurrent.atomic.AtomicInteger;

/** Addresses of the two devices that {@link NeedsRdmaDevices} asks for: servers are at one, clients at the other. */
final class Rdma {

    /** Of a device in software, in an emulated machine of two processors. */
    static final int SLOWER = 10;

    /** Where clients are. */
    static final String CLIENTS = "10.9.0.1";

    private static final AtomicInteger PORT = new AtomicInteger(24_000);

    private Rdma() {
    }

    /** Returns an address at which nobody listens. */
    static String address() {
        return "rdma://10.9.0.2:" + PORT.getAndIncrement();
    }

    /** Returns where a client connects that is at the other device. */
    static String from(String serverAddress) {
        return serverAddress + "?from=" + CLIENTS;
    }
}
