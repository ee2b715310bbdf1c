package org.jvrpc.ibverbs;

import org.jvrpc.ibverbs.core.Driver;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.core.RdmaDomain;
import org.jvrpc.ibverbs.core.RdmaEventChannel;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.VerbsException;

/** An RDMA device of this host. Any thread. */
final class RdmaDevice implements Device {

    private final RdmaContext context;
    private final Driver driver;

    private RdmaDevice(RdmaContext context, Driver driver) {
        this.context = context;
        this.driver = driver;
    }

    /**
     * Opens a device.
     *
     * @param driver {@code user}, {@code generic}, or null for the best there is
     * @throws VerbsException when it is not there, this user has no right to it, or it has no such driver
     */
    static RdmaDevice open(String name, String driver, int gidIndex) {
        RdmaContext context = RdmaContext.open(name, 1, gidIndex);
        try {
            return new RdmaDevice(context, Drivers.choose(context, driver));
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return context.name() + " (" + driver.name() + ")";
    }

    @Override
    public int maxRequestBytes() {
        return 55;
    }

    @Override
    public int maxAnswerBytes() {
        return 147;
    }

    @Override
    public int maxDatagramBytes() {
        return context.port().mtuBytes();
    }

    @Override
    public ProtectionDomain allocatePd() {
        return new RdmaDomain(context, driver);
    }

    @Override
    public CompletionQueue createCq(CompletionQueueAttributes attributes) {
        return driver.createCq(attributes);
    }

    @Override
    public EventChannel createChannel() {
        return new RdmaEventChannel(context);
    }

    @Override
    public Listener listen(String address, EventChannel channel) {
        throw new VerbsException("listen", "not built yet");
    }

    @Override
    public Connection connect(
            String address, QueuePair qp, byte[] privateData, EventChannel channel, long timeoutNs) {
        throw new VerbsException("connect", "not built yet");
    }

    @Override
    public void close() {
        context.close();
    }
}
