package org.jvrpc.softrnic.roce.socket;

import java.nio.ByteBuffer;

/**
 * Packets of a node's QPs to others of the same node, which need no kernel to get there: a bounded queue, in order.
 * What finds no room is lost, as it is at a socket. The lock is a leaf: nobody takes another while holding it. Any
 * thread.
 *
 * <pre>
 * ring  | length:32 | packet, padded to 4 bytes | length:32 | packet | … | -1:32, when the next does not fit
 * </pre>
 */
public final class InnerLoop {

    private static final int BYTES = 1 << 20;
    private static final int HEADER = 4;
    private static final int SKIP = -1;

    private final ByteBuffer ring;
    private final LostPackets lost;
    /** Guarded by this, as is the next: bytes ever taken and put; both multiples of 4. */
    private long head;
    private long tail;
    private volatile boolean filled;

    public InnerLoop(LostPackets lost) {
        this(lost, BYTES);
    }

    /** @param bytes a power of two */
    InnerLoop(LostPackets lost, int bytes) {
        this.lost = lost;
        ring = ByteBuffer.allocateDirect(bytes);
    }

    private static int padded(int length) {
        return HEADER + (length + HEADER - 1 & -HEADER);
    }

    /** Puts the bytes from position to limit; returns false where they are lost. */
    public boolean offer(ByteBuffer packet) {
        int length = packet.remaining();
        if (put(packet, length)) {
            return true;
        }
        lost.noRoom();
        return false;
    }

    private synchronized boolean put(ByteBuffer packet, int length) {
        int need = padded(length);
        int at = (int) tail & ring.capacity() - 1;
        int rest = ring.capacity() - at;
        int skipped = rest < need ? rest : 0;
        if (tail + skipped + need - head > ring.capacity()) {
            return false;
        }
        if (skipped > 0) {
            ring.putInt(at, SKIP);
            at = 0;
        }
        ring.putInt(at, length);
        ring.put(at + HEADER, packet, packet.position(), length);
        tail += skipped + need;
        filled = true;
        return true;
    }

    /** Returns whether there is something to take; may be out of date at once. */
    public boolean isFilled() {
        return filled;
    }

    /** Copies the oldest packet to the beginning of a buffer that has room for any; returns its bytes, 0 for none. */
    public synchronized int poll(ByteBuffer into) {
        if (head == tail) {
            return 0;
        }
        int at = (int) head & ring.capacity() - 1;
        int length = ring.getInt(at);
        if (length == SKIP) {
            head += ring.capacity() - at;
            at = 0;
            length = ring.getInt(0);
        }
        into.put(0, ring, at + HEADER, length);
        head += padded(length);
        filled = head != tail;
        return length;
    }
}
