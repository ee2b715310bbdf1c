package org.jvrpc.runtime.channel;

import org.jvrpc.api.CallOptions;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.runtime.route.BoundChannel;
import org.jvrpc.runtime.route.ServerLink;

/** A connection that is what a test says. */
final class FakeLink implements ServerLink {

    final String address;
    volatile boolean connected = true;
    volatile boolean left;
    volatile boolean closed;
    volatile int inFlight;
    /** The way to any service; null for none. */
    volatile BoundChannel channel;

    FakeLink(String address) {
        this.address = address;
    }

    @Override
    public BoundChannel unopened(ServiceDescriptor<?> service, ObjectCodec objects, CallOptions options) {
        if (channel == null) {
            throw new UnsupportedOperationException("no calls");
        }
        return channel;
    }

    @Override
    public boolean isConnected() {
        return connected && !left;
    }

    @Override
    public int inFlight() {
        return inFlight;
    }

    @Override
    public void leave() {
        left = true;
    }

    @Override
    public boolean isDrained() {
        return !isConnected() && inFlight == 0;
    }

    @Override
    public boolean takeAnswers() {
        return false;
    }

    @Override
    public long offloadedCalls() {
        return 0;
    }

    @Override
    public void close() {
        closed = true;
    }
}
