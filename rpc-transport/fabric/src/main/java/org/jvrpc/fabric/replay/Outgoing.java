package org.jvrpc.fabric.replay;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jvrpc.roce.rc.PacketSink;
import org.jvrpc.roce.wire.Packet;

/** What a machine sends, instead of a network: as many packets as it has leave for. Keeps headers, and not too many. */
final class Outgoing implements PacketSink {

    private static final int HEADERS = 64;
    private static final int ROOM = 4096 + HEADERS;
    /** A READ may ask for more than there is memory for: the rest is sent when these were taken. */
    private static final int MOST = 1 << 12;

    private final ByteBuffer bytes = ByteBuffer.allocate(ROOM);
    private final ArrayDeque<CapturedPacket> sent = new ArrayDeque<>();
    private long leave;

    void allow(long packets) {
        leave = packets;
    }

    /** Returns the oldest that was not taken, null when there is none. */
    CapturedPacket poll() {
        return sent.poll();
    }

    ArrayDeque<CapturedPacket> all() {
        return sent;
    }

    @Override
    public boolean isReady() {
        return leave > 0 && sent.size() < MOST;
    }

    @Override
    public ByteBuffer buffer() {
        return bytes;
    }

    @Override
    public int offset() {
        return 0;
    }

    @Override
    public void send(int length) {
        leave--;
        Packet packet = new Packet();
        packet.parse(bytes, 0, length);
        int kept = Math.min(length, HEADERS);
        sent.add(CapturedPacket.of(0, 0, "", "", packet, ByteBuffer.allocate(kept).put(0, bytes, 0, kept)));
    }
}
