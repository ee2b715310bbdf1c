package org.jvrpc.runtime.verbs;

import org.jvrpc.runtime.session.Hello;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.QueuePair;

/** Somebody who wants to connect to a server on a {@link StillDevice}. */
public final class StillRequest implements ConnectionRequest {

    private final StillDevice device;
    private final Hello asked;
    private final Runnable whenRead;
    public Hello granted;
    public byte[] refused;

    /** @param whenRead what happens before somebody reads what is asked for */
    public StillRequest(StillDevice device, Hello asked, Runnable whenRead) {
        this.device = device;
        this.asked = asked;
        this.whenRead = whenRead;
    }

    @Override
    public byte[] privateData() {
        whenRead.run();
        return asked.encode();
    }

    @Override
    public Connection accept(QueuePair qp, byte[] privateData) {
        throw new AssertionError("it has a channel");
    }

    @Override
    public Connection accept(QueuePair qp, byte[] privateData, EventChannel channel) {
        granted = Hello.decode(privateData);
        return device.connection();
    }

    @Override
    public void reject(byte[] privateData) {
        refused = privateData;
    }
}
