package org.jvrpc.runtime.message;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Assertions;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.MessageHeader;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;

/**
 * A link to a peer in the same process, whose messages lie in their sender's slots until the peer takes them. Fails
 * where a message is sent that the peer has no room for, and where a slot is written to that is under way.
 */
final class QueueLink extends Link {

    private final int window;
    private final ByteBuffer[] slots;
    private final Deque<Message> arrived = new ArrayDeque<>();
    private QueueLink peer;
    private boolean connected = true;
    private int granted;
    private int sent;
    /** Whoever sleeps until there is something to poll is to look. */
    boolean woken;

    /** @param slot -1 for one of control messages @param bytes as they were when it was sent */
    private record Message(int slot, ByteBuffer bytes) {
    }

    QueueLink(int window, int pieceBytes) {
        super(pieceBytes);
        this.window = window;
        this.granted = window;
        this.slots = new ByteBuffer[window + Protocol.CONTROLS];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = ByteBuffer.allocate(pieceBytes);
        }
    }

    void connect(QueueLink other) {
        peer = other;
        other.peer = this;
    }

    @Override
    public ByteBuffer body(int slot) {
        return slots[slot];
    }

    @Override
    public boolean send(int slot, long first, long second, int bodyLength) {
        FrameOrdersTest.wire(this);
        if (!connected) {
            return fail("the peer is gone");
        }
        sent += MessageHeader.kind(first) == MessageHeader.DATA ? 1 : 0;
        Assertions.assertTrue(sent <= granted, "a piece without a credit");
        Assertions.assertTrue(peer.arrived.size() < window + Protocol.CONTROLS, "the peer has no receive");
        ByteBuffer bytes = ByteBuffer.allocate(RpcHeader.BYTES + bodyLength).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(first).putLong(second);
        if (bodyLength > 0) {
            bytes.put(slots[slot].slice(0, bodyLength));
        }
        peer.arrived.add(new Message(slot, bytes.flip()));
        return true;
    }

    @Override
    public boolean sendControl(long first, long second) {
        return send(-1, first, second, 0);
    }

    @Override
    public void wakePeer() {
        peer.woken |= !peer.arrived.isEmpty();
    }

    @Override
    public boolean poll() {
        FrameOrdersTest.wire(this);
        if (arrived.isEmpty()) {
            wakePeer();
            return false;
        }
        Message next = arrived.remove();
        int length = next.bytes.remaining() - RpcHeader.BYTES;
        if (length > 0) {
            Assertions.assertEquals(next.bytes.slice(RpcHeader.BYTES, length),
                    peer.slots[next.slot].slice(0, length), "a slot is written to while its message is under way");
        }
        granted += MessageHeader.credits(next.bytes.getLong(0));
        payload(next.bytes, 0, next.bytes.limit());
        return true;
    }

    @Override
    public boolean isConnected() {
        return FrameOrdersTest.wire(this).connected;
    }

    @Override
    public void disconnect() {
        FrameOrdersTest.wire(this);
        connected = false;
        peer.connected = false;
        woken = true;
        peer.woken = true;
    }

    @Override
    public void breakOff() {
        disconnect();
    }

    @Override
    public void close() {
        // its memory is the collector's
    }

    @Override
    public boolean hasControl() {
        return true;
    }

    @Override
    public boolean hasLeft() {
        return true;
    }

    @Override
    public boolean isBehind() {
        return false;
    }

    @Override
    public InetAddress peerHost() {
        return null;
    }

    // ---- what sessions of messages do not use

    @Override
    public int describe(int slot, Body body) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long sendOneWay(int slot, long first, long second, int bodyLength) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isSent(long number) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reap() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void catchUp() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean hasMore() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long beginFetch(Body into, int offset, int length, long source, int key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long fetchLimitNs(int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void arm() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void disarm() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void keepAlive(long idleNs) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void checkPeer(long nowNs) {
        throw new UnsupportedOperationException();
    }
}
