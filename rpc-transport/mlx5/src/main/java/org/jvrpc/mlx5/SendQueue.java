package org.jvrpc.mlx5;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/** The producer's side of a send ring. Posted to by one thread, completed by one. */
final class SendQueue {

    /** Of {@link #blocks}: the WQE was pushed, and its block of the ring has what it held before. */
    private static final int PUSHED = 0x40;
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(SendQueue.class, "head", int.class);
            TAIL = lookup.findVarHandle(SendQueue.class, "tail", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ByteBuffer memory;
    private final int ring;
    private final int mask;
    /** The ring, for copies in bulk. */
    private final LongBuffer view;
    private final ByteBuffer records;
    private final int record;
    private final Doorbell doorbell;
    /** Null where the device reaches all memory. */
    private final ShadowMemory shadow;
    private final boolean datagram;
    private final long[] wrIds;
    private final byte[] blocks;
    private int head; // written by the poster, read with acquire by the poller
    private int tail; // written by the poller, read with acquire by the poster
    /** Head when the doorbell rang last. */
    private int rung;
    /** Block where the last WQE begins. */
    private int last;
    /** Blocks of the last WQE when it is the only one since then, else 0. */
    private int lone;

    SendQueue(QueueMemory queue, Doorbell doorbell, ShadowMemory shadow, boolean datagram) {
        this.memory = queue.memory();
        this.ring = queue.ring();
        this.mask = queue.entries() - 1;
        this.view = memory.slice(ring, queue.entries() * Wqe.BLOCK).order(ByteOrder.BIG_ENDIAN).asLongBuffer();
        this.records = queue.records();
        this.record = queue.record();
        this.doorbell = doorbell;
        this.shadow = shadow;
        this.datagram = datagram;
        this.wrIds = new long[queue.entries()];
        this.blocks = new byte[queue.entries()];
    }

    /** Takes blocks, or returns false when the ring is full. */
    boolean hasRoom(int count) {
        return head - (int) TAIL.getAcquire(this) + count <= mask + 1;
    }

    int head() {
        return head;
    }

    int entries() {
        return mask + 1;
    }

    /** Copies a WQE of so many longs to the head of the ring, which has room. */
    void write(long[] words, int from, int count, int blockCount, long wrId) {
        int index = head & mask;
        wrIds[index] = wrId;
        blocks[index] = (byte) blockCount;
        last = index;
        lone = head == rung ? blockCount : 0;
        int untilWrap = (mask + 1 - index) * (Wqe.BLOCK / 8);
        if (count <= untilWrap) {
            copy(words, from, ring + index * Wqe.BLOCK, count);
        } else {
            copy(words, from, ring + index * Wqe.BLOCK, untilWrap);
            copy(words, from + untilWrap, ring, count - untilWrap);
        }
        HEAD.setRelease(this, head + blockCount);
    }

    /** Copies WQEs to blocks of the ring, from one of them on, round its end; the head stays where it is. */
    void load(int block, long[] words) {
        if (words.length % (Wqe.BLOCK / 8) != 0 || words.length / (Wqe.BLOCK / 8) > mask + 1) {
            throw new IllegalArgumentException("longs=" + words.length + " blocks of the ring=" + (mask + 1));
        }
        int at = (block & mask) * (Wqe.BLOCK / 8);
        int untilWrap = Math.min(words.length, blocks.length * (Wqe.BLOCK / 8) - at);
        view.put(at, words, 0, untilWrap);
        view.put(0, words, untilWrap, words.length - untilWrap);
    }

    private void copy(long[] words, int from, int to, int count) {
        for (int i = 0; i < count; i += 2) {
            BigEndian.putLong(memory, to + 8 * i, words[from + i]);
            BigEndian.putLong(memory, to + 8 * i + 8, words[from + i + 1]);
        }
    }

    /** Has a WQE of one block executed without the ring; false when that cannot be, or the ring is full. */
    boolean push(long[] words, long wrId) {
        if (!hasRoom(1) || !doorbell.push(head, words)) {
            return false;
        }
        int index = head & mask;
        wrIds[index] = wrId;
        blocks[index] = PUSHED | 1;
        HEAD.setRelease(this, head + 1);
        return true;
    }

    /** Prepares a SEND whose header is handed over; null when the consumer takes everything from here. */
    Push prepare(long[] segments) {
        return doorbell.prepare(segments);
    }

    /** Has a SEND executed without the ring, in which it takes no room; false when that cannot be. */
    boolean push(Push prepared, long first, long second, int length) {
        return prepared.push(head, first, second, length);
    }

    /** As above, of a body of which most lies elsewhere. */
    boolean push(Push prepared, long first, long second, int begun, ByteBuffer rest, int at, int length) {
        return prepared.push(head, first, second, begun, rest, at, length);
    }

    /** Has a READ executed without the ring; false when that cannot be. */
    boolean read(long address, int rkey, ByteBuffer into, int at, int length) {
        return doorbell.read(address, rkey, into, at, length);
    }

    /** Publishes everything written and rings the doorbell. */
    void ring() {
        if (shadow != null && !shadow.isEmpty()) {
            copy(rung, head, false);
        }
        BigEndian.putIntRelease(records, record + DoorbellRecord.SEND, head & DoorbellRecord.COUNTER_MASK);
        rung = head;
        doorbell.ring(head, last, lone);
    }

    /** Returns the counter of the oldest WQE that is not complete, or -1. The poller. */
    int oldest() {
        return (int) HEAD.getAcquire(this) == tail ? -1 : tail & 0xffff;
    }

    /** Returns the id of the WQE at a 16-bit counter. */
    long wrId(int counter) {
        return wrIds[counter & mask];
    }

    /** Copies the answer to a READ or an atomic, which came in its CQE, to where the WQE's data segments say. */
    boolean scatter(LocalMemory target, int counter, ByteBuffer source, int offset, int length) {
        int start = (counter & mask) * Wqe.BLOCK;
        long control = BigEndian.getLong(memory, ring + start);
        int from = Wqe.dataOffset(Wqe.opcode((int) (control >>> 32)));
        int end = Wqe.segments((int) control) * Wqe.SEGMENT;
        int done = 0;
        for (int at = from; at < end && done < length; at += Wqe.SEGMENT) {
            int segment = ring + (start + at & (mask + 1) * Wqe.BLOCK - 1);
            int piece = (int) Math.min(length - done, Wqe.byteCount(memory, segment));
            if (!target.write(Wqe.dataAddress(memory, segment), Wqe.dataLkey(memory, segment), source, offset + done,
                    piece)) {
                return false;
            }
            done += piece;
        }
        return done == length;
    }

    /** Takes back everything up to and with the WQE at a 16-bit counter; the poster may write there from now on. */
    void complete(int counter) {
        int distance = counter - tail & 0xffff;
        if (distance < (int) HEAD.getAcquire(this) - tail) {
            TAIL.setRelease(this, tail + distance + (blocks[counter & mask] & ~PUSHED));
        }
    }

    /** Returns true when {@link #takeAnswers} has to be called before {@link #complete}. */
    boolean isShadowed() {
        return shadow != null && !shadow.isEmpty();
    }

    /** Copies what the WQEs before a 16-bit counter, or up to it, read from the peer. The poller. */
    void takeAnswers(int counter, boolean with) {
        int distance = counter - tail & 0xffff;
        if (distance < (int) HEAD.getAcquire(this) - tail) {
            copy(tail, tail + distance + (with ? 1 : 0), true);
        }
    }

    /** Copies what WQEs send to the device's side of its memory, or what they read from there. */
    private void copy(int from, int to, boolean answers) {
        for (int at = from; at - to < 0; at += blocks[at & mask] & ~PUSHED) {
            int start = (at & mask) * Wqe.BLOCK;
            long control = BigEndian.getLong(memory, ring + start);
            int opcode = Wqe.opcode((int) (control >>> 32));
            if ((blocks[at & mask] & PUSHED) == 0 && (answers ? Wqe.isAnswered(opcode) : Wqe.isSent(opcode))) {
                int data = datagram ? Wqe.DATAGRAM_DATA : Wqe.dataOffset(opcode);
                copy(start, data, Wqe.segments((int) control) * Wqe.SEGMENT, answers);
            }
        }
    }

    private void copy(int start, int data, int end, boolean answers) {
        for (int at = data; at < end; at += Wqe.SEGMENT) {
            int segment = ring + (start + at & (mask + 1) * Wqe.BLOCK - 1);
            if ((BigEndian.getInt(memory, segment) & Wqe.INLINE) != 0) {
                return;
            }
            long length = Wqe.byteCount(memory, segment);
            if (answers) {
                shadow.fromDevice(Wqe.dataAddress(memory, segment), Wqe.dataLkey(memory, segment), length);
            } else {
                shadow.toDevice(Wqe.dataAddress(memory, segment), Wqe.dataLkey(memory, segment), length);
            }
        }
    }
}
