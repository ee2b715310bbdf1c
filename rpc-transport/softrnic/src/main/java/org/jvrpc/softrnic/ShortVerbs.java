package org.jvrpc.softrnic;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;
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

    /** Executes the WQE at an offset in the ring; false when somebody else has to. */
    boolean execute(int at, int opcode, int opmod, int segments) {
        switch (opcode) {
            case Wqe.RDMA_READ:
                return segments > 2 && read(at, segments);
            case Wqe.RDMA_WRITE:
                return opmod == 0 && segments > 2 && write(at, segments);
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

    private boolean read(int at, int segments) {
        long from = word(at, Wqe.REMOTE);
        long room = Math.min(MAX_BYTES, remote.locate((int) (word(at, Wqe.REMOTE + 8) >>> 32), from,
                Access.REMOTE_READ));
        ByteBuffer source = remote.window();
        int index = Slab.index(from);
        VarHandle.acquireFence(); // what an earlier READ saw must not be newer
        boolean done = move(at, segments, source, index, room, Access.LOCAL_WRITE);
        VarHandle.acquireFence();
        return done;
    }

    private boolean write(int at, int segments) {
        long to = word(at, Wqe.REMOTE);
        long room = Math.min(MAX_BYTES, remote.locate((int) (word(at, Wqe.REMOTE + 8) >>> 32), to,
                Access.REMOTE_WRITE));
        ByteBuffer target = remote.window();
        int index = Slab.index(to);
        VarHandle.releaseFence();
        boolean done = move(at, segments, target, index, room, 0);
        VarHandle.releaseFence(); // what is written later must not be seen earlier
        return done;
    }

    /** Copies between the pieces of this end and those of the other end, which has so much room from there on. */
    private boolean move(int at, int segments, ByteBuffer other, int index, long room, int access) {
        int key = 0;
        long start = 0;
        long pieceRoom = 0;
        int begin = index;
        ByteBuffer window = null;
        for (int offset = 2 * Wqe.SEGMENT; offset < segments * Wqe.SEGMENT; offset += Wqe.SEGMENT) {
            long lengthAndKey = word(at, offset);
            long address = word(at, offset + 8);
            int length = (int) (lengthAndKey >>> 32);
            if ((int) lengthAndKey != key || address - start < 0) {
                key = (int) lengthAndKey;
                start = address;
                pieceRoom = local.locate(key, address, access);
                window = local.window();
            }
            room -= length;
            // A length of 0 stands for 2 GiB, a negative one for inline data.
            if (length <= 0 || room < 0 || length > pieceRoom - (address - start)) {
                return false;
            }
            if (access != 0) {
                Copy.bytes(other, index, window, Slab.index(address), length);
            } else {
                Copy.bytes(window, Slab.index(address), other, index, length);
            }
            index += length;
        }
        bytes = index - begin;
        return true;
    }

    private boolean atomic(int at, int opcode) {
        long target = word(at, Wqe.REMOTE);
        long lengthAndKey = word(at, 3 * Wqe.SEGMENT);
        long result = word(at, 3 * Wqe.SEGMENT + 8);
        if ((target & 7) != 0 || (result & 7) != 0 || lengthAndKey >>> 32 != 8
                || local.locate((int) lengthAndKey, result, Access.LOCAL_WRITE) < 8
                || remote.locate((int) (word(at, Wqe.REMOTE + 8) >>> 32), target, Access.REMOTE_ATOMIC) < 8) {
            return false;
        }
        long old = change(opcode, remote.window(), Slab.index(target), word(at, Wqe.ATOMIC),
                word(at, Wqe.ATOMIC + Wqe.ATOMIC_COMPARE));
        Atomics.put(local.window(), Slab.index(result), old);
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
