package org.jvrpc.mlx5;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** The producer's side of a receive ring. Posted to by one thread, completed by one. */
final class ReceiveQueue {

    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(ReceiveQueue.class, "head", int.class);
            TAIL = lookup.findVarHandle(ReceiveQueue.class, "tail", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ByteBuffer memory;
    private final int ring;
    private final int mask;
    private final int stride;
    private final ByteBuffer records;
    private final int record;
    private final boolean managed;
    private final long[] wrIds;
    /** What each slot of the ring holds: the version of whoever wrote it last, 0 for nobody. */
    private final long[] versions;
    private final AtomicLong lastVersion = new AtomicLong();
    private int head; // written by who posts, read with acquire by who polls
    private int tail; // written by who polls, read with acquire by who posts

    /** @param managed true when the device moves the doorbell record itself, as far as an ENABLE says */
    ReceiveQueue(QueueMemory queue, boolean managed) {
        this.managed = managed;
        this.memory = queue.memory();
        this.ring = queue.ring();
        this.mask = queue.entries() - 1;
        this.stride = queue.stride();
        this.records = queue.records();
        this.record = queue.record();
        this.wrIds = new long[queue.entries()];
        this.versions = new long[queue.entries()];
    }

    /** Returns how many WQEs there is room for. */
    int room() {
        return mask + 1 - (head - (int) TAIL.getAcquire(this));
    }

    /** Returns a name for the bytes of a WQE, which no others had. Any thread. */
    long newVersion() {
        return lastVersion.incrementAndGet();
    }

    int stride() {
        return stride;
    }

    int entries() {
        return mask + 1;
    }

    /**
     * Copies a WQE to a place after the head of the ring, which has room; {@link #ring} moves the head. A slot that
     * holds this version of the WQE from an earlier lap is not written, so that the peer's copy of its cache line stays
     * good.
     *
     * @param version names these very bytes among all that are ever posted here
     */
    void write(int place, byte[] template, int offset, long wrId, long version) {
        int index = head + place & mask;
        wrIds[index] = wrId;
        if (versions[index] != version) {
            versions[index] = version;
            int at = ring + index * stride;
            for (int i = 0; i < stride; i += 8) {
                BigEndian.putRaw(memory, at + i, template, offset + i);
            }
        }
    }

    /** Publishes so many WQEs; the initiator reads the counter with acquire. */
    void ring(int count) {
        HEAD.setRelease(this, head + count);
        if (!managed) {
            BigEndian.putIntRelease(records, record + DoorbellRecord.RECEIVE, head & DoorbellRecord.COUNTER_MASK);
        }
    }

    /** Returns the id of the WQE at a 16-bit counter. */
    long wrId(int counter) {
        return wrIds[counter & mask];
    }

    /** Returns false when the WQE at a 16-bit counter was taken back before, or was never posted. */
    boolean isPosted(int counter) {
        return (counter - tail & 0xffff) < (int) HEAD.getAcquire(this) - tail;
    }

    /** Takes back the WQE at a 16-bit counter, which is posted: its id and its bytes are the poster's from now on. */
    void complete(int counter) {
        TAIL.setRelease(this, tail + (counter - tail & 0xffff) + 1);
    }

    /** Returns the counter of the oldest WQE that is not complete, or -1. */
    int oldest() {
        return tail == (int) HEAD.getAcquire(this) ? -1 : tail & 0xffff;
    }

    int offsetOf(int counter) {
        return ring + (counter & mask) * stride;
    }

    ByteBuffer memory() {
        return memory;
    }
}
