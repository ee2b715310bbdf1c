package org.jvrpc.softrnic.chain;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Atomics;
import org.jvrpc.softrnic.memory.Copy;
import org.jvrpc.softrnic.memory.SharedKeys;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.rc.WqeExecutor;
import org.jvrpc.verbs.Access;

/**
 * Executes the one-sided verbs that chains are made of in as few accesses as it takes: some bytes between memory that
 * lies in single windows. Says no to everything else, and to whatever is wrong, so that {@link WqeExecutor} does it, or
 * says what is wrong; what was moved until then is moved again. One thread.
 */
final class ShortVerbs {

    /** Longer messages gain nothing. */
    private static final int MAX_BYTES = 1 << 20;

    private final ByteBuffer code;
    private final int codeAt;
    private final int ringMask;
    private final SharedKeys local;
    private final SharedKeys remote;
    private int bytes;

    /**
     * @param code holds the ring, from {@code codeAt} on
     * @param local keys of the queue's domain
     * @param remote keys of the peer's
     */
    ShortVerbs(ByteBuffer code, int codeAt, int ringMask, SharedKeys local, SharedKeys remote) {
        this.code = code;
        this.codeAt = codeAt;
        this.ringMask = ringMask;
        this.local = local;
        this.remote = remote;
    }

    /** Returns how many bytes the last WQE moved. */
    int bytes() {
        return bytes;
    }

    /** Executes the WQE at an offset in the ring, which has this first word; false when somebody else has to. */
    boolean execute(int at, long control) {
        int word = (int) (control >>> 32);
        int opcode = Wqe.opcode(word);
        int segments = Wqe.segments((int) control);
        switch (opcode) {
            case Wqe.RDMA_READ:
                return segments > 2 && read(at, segments);
            case Wqe.RDMA_WRITE:
                return Wqe.opmod(word) == 0 && segments > 2 && write(at, segments);
            case Wqe.ATOMIC_CS:
            case Wqe.ATOMIC_FA:
            case Wqe.ATOMIC_MASKED_FA:
                return segments == 4 && atomic(at, opcode);
            default:
                return false;
        }
    }

    private long word(int at, int offset) {
        return BigEndian.getLong(code, codeAt + (at + offset & ringMask));
    }

    private int key(int at, int offset) {
        return BigEndian.getInt(code, codeAt + (at + offset & ringMask));
    }

    private boolean read(int at, int segments) {
        long from = word(at, Wqe.REMOTE);
        SharedKeys.Region source = remote.region(key(at, Wqe.REMOTE + 8), Access.REMOTE_READ);
        if (source == null) {
            return false;
        }
        VarHandle.acquireFence(); // what an earlier READ saw must not be newer
        boolean done = scatter(at, segments, source.window(), Slab.index(from), source.room(from));
        VarHandle.acquireFence();
        return done;
    }

    private boolean write(int at, int segments) {
        long to = word(at, Wqe.REMOTE);
        SharedKeys.Region target = remote.region(key(at, Wqe.REMOTE + 8), Access.REMOTE_WRITE);
        if (target == null) {
            return false;
        }
        VarHandle.releaseFence();
        boolean done = gather(at, segments, target.window(), Slab.index(to), target.room(to));
        VarHandle.releaseFence(); // what is written later must not be seen earlier
        return done;
    }

    /**
     * Copies from the other end, which has so much room from there on, to the pieces of this end. A length of 0 stands
     * for 2 GiB, a negative one for inline data. Fields are kept in locals: any store to a buffer makes the compiler
     * load them again.
     */
    private boolean scatter(int at, int segments, ByteBuffer other, int index, long room) {
        ByteBuffer ring = code;
        int mask = ringMask;
        int base = codeAt;
        ByteBuffer window = null;
        int key = 0; // of no region: no address is inside
        long start = 0;
        long end = 0;
        int from = index;
        int most = (int) Math.min(room, MAX_BYTES);
        int last = at + segments * Wqe.SEGMENT;
        for (int piece = at + 2 * Wqe.SEGMENT; piece < last; piece += Wqe.SEGMENT) {
            int segment = base + (piece & mask);
            long lengthAndKey = Long.reverseBytes(ring.getLong(segment));
            long address = Long.reverseBytes(ring.getLong(segment + Wqe.DATA_ADDRESS));
            int length = (int) (lengthAndKey >>> 32);
            if ((int) lengthAndKey != key) {
                key = (int) lengthAndKey;
                SharedKeys.Region region = local.region(key, Access.LOCAL_WRITE);
                if (region == null) {
                    return false;
                }
                window = region.window();
                start = region.start();
                end = region.end();
            }
            most -= length;
            if (length <= 0 || most < 0 || address < start || address > end - length) {
                return false;
            }
            if (length == 1) {
                window.put(Slab.index(address), other.get(from));
            } else if (length == 8) {
                window.putLong(Slab.index(address), other.getLong(from));
            } else if (length == 4) {
                window.putInt(Slab.index(address), other.getInt(from));
            } else if (length < 4) { // two or three bytes: parts of indices
                int to = Slab.index(address);
                window.putShort(to, other.getShort(from));
                if (length == 3) {
                    window.put(to + 2, other.get(from + 2));
                }
            } else {
                Copy.bytes(other, from, window, Slab.index(address), length);
            }
            from += length;
        }
        bytes = from - index;
        return true;
    }

    /** Copies the pieces of this end to the other end, as {@link #scatter}. */
    private boolean gather(int at, int segments, ByteBuffer other, int index, long room) {
        int to = index;
        int most = (int) Math.min(room, MAX_BYTES);
        int last = at + segments * Wqe.SEGMENT;
        for (int piece = at + 2 * Wqe.SEGMENT; piece < last; piece += Wqe.SEGMENT) {
            int segment = codeAt + (piece & ringMask);
            long lengthAndKey = BigEndian.getLong(code, segment);
            long address = BigEndian.getLong(code, segment + Wqe.DATA_ADDRESS);
            int length = (int) (lengthAndKey >>> 32);
            SharedKeys.Region region = local.region((int) lengthAndKey, 0);
            most -= length;
            if (region == null || length <= 0 || most < 0 || region.room(address) < length) {
                return false;
            }
            Copy.bytes(region.window(), Slab.index(address), other, to, length);
            to += length;
        }
        bytes = to - index;
        return true;
    }

    private boolean atomic(int at, int opcode) {
        long target = word(at, Wqe.REMOTE);
        long lengthAndKey = word(at, 3 * Wqe.SEGMENT);
        long result = word(at, 3 * Wqe.SEGMENT + 8);
        SharedKeys.Region there = remote.region(key(at, Wqe.REMOTE + 8), Access.REMOTE_ATOMIC);
        SharedKeys.Region here = local.region((int) lengthAndKey, Access.LOCAL_WRITE);
        if (there == null || here == null || lengthAndKey >>> 32 != 8 || ((target | result) & 7) != 0
                || there.room(target) < 8 || here.room(result) < 8) {
            return false;
        }
        long old = change(opcode, there.window(), Slab.index(target), word(at, Wqe.ATOMIC),
                word(at, Wqe.ATOMIC + Wqe.ATOMIC_COMPARE));
        Atomics.put(here.window(), Slab.index(result), old);
        bytes = 8;
        return true;
    }

    private static long change(int opcode, ByteBuffer memory, int index, long first, long second) {
        return switch (opcode) {
            case Wqe.ATOMIC_CS -> Atomics.compareAndSwap(memory, index, second, first);
            case Wqe.ATOMIC_FA -> Atomics.fetchAndAdd(memory, index, first);
            default -> Atomics.maskedFetchAndAdd(memory, index, first, second);
        };
    }
}
