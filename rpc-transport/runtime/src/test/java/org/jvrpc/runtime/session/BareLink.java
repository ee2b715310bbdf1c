package org.jvrpc.runtime.session;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/** A link of slots on the heap and of nothing else: without long bodies, polled by its test, and whose peer lives. */
public abstract class BareLink extends Link {

    private final ByteBuffer[] bodies;

    protected BareLink(int slots, int slotBytes) {
        super(slotBytes);
        bodies = new ByteBuffer[slots + Protocol.CONTROLS];
        for (int i = 0; i < bodies.length; i++) {
            bodies[i] = ByteBuffer.allocate(slotBytes);
        }
    }

    @Override
    public final ByteBuffer body(int slot) {
        return bodies[slot];
    }

    @Override
    public final int describe(int slot, Body body) {
        throw new UnsupportedOperationException("no long bodies here");
    }

    @Override
    public final long beginFetch(Body into, int offset, int length, long source, int key) {
        throw new UnsupportedOperationException("no long bodies here");
    }

    @Override
    public final long fetchLimitNs(int length) {
        return 0;
    }

    @Override
    public final boolean hasMore() {
        return true;
    }

    @Override
    public final void arm() {
        // the test polls
    }

    @Override
    public final void disarm() {
        // as before
    }

    @Override
    public final void keepAlive(long idleNs) {
        // the peer lives
    }

    @Override
    public final void checkPeer(long nowNs) {
        // as before
    }

    @Override
    public InetAddress peerHost() {
        return null;
    }

    @Override
    public final void close() {
        // its memory is the collector's
    }
}
