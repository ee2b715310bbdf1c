package org.jvrpc.roce.ud;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.verbs.WcStatus;

/** Receives in a piece of memory, and what came of them. */
final class Receives implements UdReceiveQueue {

    final ByteBuffer memory;
    final List<Arrived> arrived = new ArrayList<>();
    final List<WcStatus> failed = new ArrayList<>();
    /** Bytes of a receive from which on its key refuses. */
    long open = Long.MAX_VALUE;
    boolean hasRoom = true;
    private final ArrayDeque<int[]> posted = new ArrayDeque<>();

    /** A datagram that was delivered. */
    record Arrived(int at, int length, boolean hasImmediate, int immediate, int sourceQpn) {
    }

    Receives(int bytes) {
        memory = ByteBuffer.allocate(bytes);
    }

    void post(int at, int length) {
        posted.add(new int[] {at, length});
    }

    int posted() {
        return posted.size();
    }

    @Override
    public long capacity() {
        return posted.isEmpty() ? -1 : posted.peek()[1];
    }

    @Override
    public WcStatus place(long from, ByteBuffer bytes, int at, int length) {
        if (from + length > open) {
            return WcStatus.LOC_PROT_ERR;
        }
        if (from + length > capacity()) {
            throw new IllegalStateException("from=" + from + " length=" + length + " capacity=" + capacity());
        }
        memory.put(posted.peek()[0] + (int) from, bytes, at, length);
        return WcStatus.SUCCESS;
    }

    @Override
    public boolean complete(int length, boolean hasImmediate, int immediate, int sourceQpn) {
        if (hasRoom) {
            arrived.add(new Arrived(posted.poll()[0], length, hasImmediate, immediate, sourceQpn));
        }
        return hasRoom;
    }

    @Override
    public void fail(WcStatus status) {
        posted.poll();
        failed.add(status);
    }
}
