package org.jvrpc.runtime.stream;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.stream.piece.StreamHeader;

/** A link to a peer that sends pieces without an end, of a stream that is not there, and takes nothing until told. */
class DeafLink extends Link {

    private static final int NO_STREAM = 1 << 16 | 5;

    private final ByteBuffer[] bodies;
    private final ByteBuffer piece = ByteBuffer.allocate(RpcHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int taken;
    int controls;
    boolean hears;

    DeafLink(int slots, int slotBytes) {
        super(slotBytes);
        bodies = new ByteBuffer[slots + Protocol.CONTROLS];
        for (int i = 0; i < bodies.length; i++) {
            bodies[i] = ByteBuffer.allocate(slotBytes);
        }
        piece.putLong(0, StreamHeader.first(StreamHeader.DATA, 0, NO_STREAM));
        payload(piece, 0, RpcHeader.BYTES);
    }

    @Override
    public ByteBuffer body(int slot) {
        return bodies[slot];
    }

    @Override
    public boolean poll() {
        taken++;
        return true;
    }

    @Override
    public boolean send(int slot, long first, long second, int bodyLength) {
        controls++;
        return true;
    }

    @Override
    public boolean sendControl(long first, long second) {
        controls++;
        return true;
    }

    @Override
    public boolean hasControl() {
        return hears || controls < Protocol.CONTROLS;
    }

    @Override
    public void catchUp() {
        // it takes nothing
    }

    @Override
    public boolean isBehind() {
        return !hears && controls > 0;
    }

    @Override
    public int describe(int slot, Body body) {
        throw new UnsupportedOperationException("no long bodies here");
    }

    @Override
    public long sendOneWay(int slot, long first, long second, int bodyLength) {
        throw new UnsupportedOperationException("no calls here");
    }

    @Override
    public boolean isSent(long number) {
        return hears;
    }

    @Override
    public void reap() {
        // nothing completes
    }

    @Override
    public boolean hasLeft() {
        return hears;
    }

    @Override
    public void wakePeer() {
        // it sleeps
    }

    @Override
    public boolean hasMore() {
        return true;
    }

    @Override
    public long beginFetch(Body into, int offset, int length, long source, int key) {
        throw new UnsupportedOperationException("no long bodies here");
    }

    @Override
    public long fetchLimitNs(int length) {
        return 0;
    }

    @Override
    public void arm() {
        // nobody sleeps here
    }

    @Override
    public void disarm() {
        // nobody sleeps here
    }

    @Override
    public void keepAlive(long idleNs) {
        // it lives
    }

    @Override
    public void checkPeer(long nowNs) {
        // it lives
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public InetAddress peerHost() {
        return null;
    }

    @Override
    public void breakOff() {
        // it does not hear
    }

    @Override
    public void disconnect() {
        // it does not hear
    }

    @Override
    public void close() {
        // no memory of its own
    }
}
