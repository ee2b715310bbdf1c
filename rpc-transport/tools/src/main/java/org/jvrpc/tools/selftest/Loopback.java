package org.jvrpc.tools.selftest;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcOpcode;

/** A device with two QPs that are connected to each other. One thread. */
public final class Loopback implements AutoCloseable {

    final Device device;
    final ProtectionDomain pd;
    final EventChannel channel;
    final Side left;
    final Side right;

    private Loopback(Device device) {
        this.device = device;
        this.pd = device.allocatePd();
        this.channel = device.createChannel();
        this.left = new Side("left QP", device, pd, null);
        this.right = new Side("right QP", device, pd, channel);
        left.qp.connect(right.qp.endpoint());
        right.qp.connect(left.qp.endpoint());
    }

    static Loopback open(String address) {
        Device device = Devices.open(address);
        try {
            return new Loopback(device);
        } catch (RuntimeException e) {
            device.close();
            throw e;
        }
    }

    /**
     * Opens the device of an address and sends a message from one of its QPs to another.
     *
     * @return what was done
     * @throws org.jvrpc.verbs.VerbsException when the device refuses
     * @throws IllegalStateException when the message does not arrive
     */
    public static String trial(String address) {
        try (Loopback pair = open(address)) {
            pair.send(16, 1);
            return "opens " + pair.device.name() + "; a SEND from one of its QPs to another arrives";
        }
    }

    /** Sends so many bytes from left to right, and checks them. */
    void send(int length, int seed) {
        left.fill(0, length, seed);
        right.receive(seed, right.sge(0, length));
        left.post(SendRequest.send(seed, left.sge(0, length)).signalled());
        left.sent(seed, WcOpcode.SEND);
        right.received(seed, length);
        right.check("SEND of " + length + " bytes", 0, length, seed);
    }

    @Override
    public void close() {
        device.close();
    }
}
