package org.jvrpc.runtime.stream;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.runtime.session.BareLink;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.stream.piece.StreamHeader;

/** A link to a peer that sends pieces without an end, of a stream that is not there, and takes nothing until told. */
class DeafLink extends BareLink {

    private static final int NO_STREAM = 1 << 16 | 5;

    private final ByteBuffer piece = ByteBuffer.allocate(RpcHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int taken;
    int controls;
    boolean hears;

    DeafLink(int slots, int slotBytes) {
        super(slots, slotBytes);
        piece.putLong(0, StreamHeader.first(StreamHeader.DATA, 0, NO_STREAM));
        payload(piece, 0, RpcHeader.BYTES);
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
    public boolean isConnected() {
        return true;
    }

    @Override
    public void breakOff() {
        // it does not hear
    }

    @Override
    public void disconnect() {
        // it does not hear
    }
}
