package org.jvrpc.softrnic.chain;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Atomics;
import org.jvrpc.softrnic.memory.Copy;
import org.jvrpc.softrnic.memory.SharedKeys;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.rc.WqeExecutor;
import org.jvrpc.verbs.Access;

/**
 * Executes the one-sided verbs that chains are made of in as few accesses as it takes: some bytes between memory that
 * lies in single windows. Says no to everything else, and to whatever is wrong, before anything is moved, so that
 * {@link WqeExecutor} does it, or says what is wrong. One thread.
 */
final class ShortVerbs {

    /** Longer messages gain nothing. */
    private static final int MAX_BYTES = 1 << 20;

    private final LongBuffer ring;
    /** Of indices of longs. */
    private final int mask;
    private final SharedKeys local;
    private final SharedKeys remote;
    private final int mostBytes;
    /** The pieces of the WQE that is executed. */
    private final ByteBuffer[] windows = new ByteBuffer[Wqe.MAX_SEGMENTS];
    private final int[] indices = new int[Wqe.MAX_SEGMENTS];
    private final int[] lengths = new int[Wqe.MAX_SEGMENTS];
    private final long[] old = new long[1];
    private int bytes;

    /**
     * @param code holds the ring, from {@code codeAt} on
     * @param local keys of the queue's domain
     * @param remote keys of the peer's
     * @param mostBytes that one of them may move
     */
    ShortVerbs(ByteBuffer code, int codeAt, int ringMask, SharedKeys local, SharedKeys remote, int mostBytes) {
        this.ring = words(code, codeAt, ringMask);
        this.mask = ringMask >> 3;
        this.local = local;
        this.remote = remote;
        this.mostBytes = Math.min(mostBytes, MAX_BYTES);
    }

    /** Returns a ring as longs in host order: a view of them takes the fewest checks to read. */
    static LongBuffer words(ByteBuffer code, int codeAt, int ringMask) {
        return code.slice(codeAt, ringMask + 1).order(ByteOrder.nativeOrder()).asLongBuffer();
    }

    /** Returns a long of a ring as the number that it is there. */
    static long big(long word) {
        return Atomics.LITTLE ? Long.reverseBytes(word) : word;
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
        return big(ring.get((at + offset >> 3) & mask));
    }

    private int key(int at, int offset) {
        return (int) (word(at, offset) >>> 32);
    }

    private boolean read(int at, int segments) {
        long from = word(at, Wqe.REMOTE);
        SharedKeys.Region source = remote.region(key(at, Wqe.REMOTE + 8), Access.REMOTE_READ);
        if (source == null) {
            return false;
        }
        VarHandle.acquireFence(); // what an earlier READ saw must not be newer
        boolean done = segments == 5 ? scatterThree(at, source.window(), Slab.index(from), source.room(from))
                : scatter(at, segments, source.window(), Slab.index(from), source.room(from));
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
        boolean done = segments == 3 ? gatherOne(at, target.window(), Slab.index(to), target.room(to))
                : gather(at, segments, target.window(), Slab.index(to), target.room(to));
        VarHandle.releaseFence(); // what is written later must not be seen earlier
        return done;
    }

    /** As {@link #gather}, of the one piece that nearly all WRITEs have, without a loop. */
    private boolean gatherOne(int at, ByteBuffer other, int to, long room) {
        LongBuffer words = ring;
        int first = (at >> 3) + 4; // in the WQE's first block
        long lengthAndKey = big(words.get(first));
        long address = big(words.get(first + 1));
        int length = (int) (lengthAndKey >>> 32);
        SharedKeys.Region region = local.region((int) lengthAndKey, 0);
        if (region == null || length <= 0 || length > Math.min(room, mostBytes) || region.room(address) < length) {
            return false;
        }
        ByteBuffer window = region.window();
        if (length == 8) {
            other.putLong(to, window.getLong(Slab.index(address)));
        } else {
            Copy.bytes(window, Slab.index(address), other, to, length);
        }
        bytes = length;
        return true;
    }

    /**
     * Reads the pieces of this end, which are to have so much room at the other end; false when any is wrong. All are
     * read before any is moved: they may lie over the WQE itself. A length of 0 stands for 2 GiB, a negative one for
     * inline data.
     */
    private boolean collect(int at, int segments, int access, long room) {
        LongBuffer words = ring;
        int around = mask;
        ByteBuffer window = null;
        int key = 0; // of no region: no address is inside
        long start = 0;
        long end = 0;
        int most = (int) Math.min(room, mostBytes);
        int count = segments - 2;
        for (int i = 0; i < count; i++) {
            int piece = (at >> 3) + 4 + 2 * i;
            long lengthAndKey = big(words.get(piece & around));
            long address = big(words.get(piece + 1 & around));
            int length = (int) (lengthAndKey >>> 32);
            if ((int) lengthAndKey != key) {
                key = (int) lengthAndKey;
                SharedKeys.Region region = local.region(key, access);
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
            if (windows[i] != window) {
                windows[i] = window; // seldom another: a slab has one
            }
            indices[i] = Slab.index(address);
            lengths[i] = length;
        }
        return true;
    }

    /** Copies from the other end, which has so much room from there on, to the pieces of this end. */
    private boolean scatter(int at, int segments, ByteBuffer other, int index, long room) {
        if (!collect(at, segments, Access.LOCAL_WRITE, room)) {
            return false;
        }
        int from = index;
        for (int i = 0; i < segments - 2; i++) {
            move(other, from, windows[i], indices[i], lengths[i]);
            from += lengths[i];
        }
        bytes = from - index;
        return true;
    }

    /** As {@link #scatter}, of the three pieces that a bucket or a node has, without lists of them. */
    private boolean scatterThree(int at, ByteBuffer other, int from, long room) {
        LongBuffer words = ring;
        int first = (at >> 3) + 4; // two pieces in the WQE's first block
        int next = (at >> 3) + 8 & mask;
        long key1 = big(words.get(first));
        long address1 = big(words.get(first + 1));
        long key2 = big(words.get(first + 2));
        long address2 = big(words.get(first + 3));
        long key3 = big(words.get(next));
        long address3 = big(words.get(next + 1));
        SharedKeys.Region region1 = local.region((int) key1, Access.LOCAL_WRITE);
        SharedKeys.Region region2 =
                (int) key2 == (int) key1 ? region1 : local.region((int) key2, Access.LOCAL_WRITE);
        SharedKeys.Region region3 =
                (int) key3 == (int) key2 ? region2 : local.region((int) key3, Access.LOCAL_WRITE);
        int length1 = (int) (key1 >>> 32);
        int length2 = (int) (key2 >>> 32);
        int length3 = (int) (key3 >>> 32);
        long length = (long) length1 + length2 + length3;
        if (region1 == null || region2 == null || region3 == null || length1 <= 0 || length2 <= 0 || length3 <= 0
                || length > Math.min(room, mostBytes) || region1.room(address1) < length1
                || region2.room(address2) < length2 || region3.room(address3) < length3) {
            return false;
        }
        move(other, from, region1.window(), Slab.index(address1), length1);
        move(other, from + length1, region2.window(), Slab.index(address2), length2);
        move(other, from + length1 + length2, region3.window(), Slab.index(address3), length3);
        bytes = (int) length;
        return true;
    }

    private static void move(ByteBuffer source, int from, ByteBuffer target, int to, int length) {
        if (length == 1) {
            target.put(to, source.get(from));
        } else if (length == 8) {
            target.putLong(to, source.getLong(from));
        } else if (length == 4) {
            target.putInt(to, source.getInt(from));
        } else if (length < 4) { // two or three bytes: parts of indices
            target.putShort(to, source.getShort(from));
            if (length == 3) {
                target.put(to + 2, source.get(from + 2));
            }
        } else {
            Copy.bytes(source, from, target, to, length);
        }
    }

    /** Copies the pieces of this end to the other end, as {@link #scatter}. */
    private boolean gather(int at, int segments, ByteBuffer other, int index, long room) {
        if (!collect(at, segments, 0, room)) {
            return false;
        }
        int to = index;
        for (int i = 0; i < segments - 2; i++) {
            Copy.bytes(windows[i], indices[i], other, to, lengths[i]);
            to += lengths[i];
        }
        bytes = to - index;
        return true;
    }

    private boolean atomic(int at, int opcode) {
        LongBuffer words = ring;
        int first = at >> 3; // all in one block
        long target = big(words.get(first + 2));
        long lengthAndKey = big(words.get(first + 6));
        long result = big(words.get(first + 7));
        SharedKeys.Region there = remote.region(key(at, Wqe.REMOTE + 8), Access.REMOTE_ATOMIC);
        SharedKeys.Region here = local.region((int) lengthAndKey, Access.LOCAL_WRITE);
        if (there == null || here == null || lengthAndKey >>> 32 != 8 || ((target | result) & 7) != 0
                || there.room(target) < 8 || here.room(result) < 8) {
            return false;
        }
        if (!change(opcode, there, Slab.index(target), big(words.get(first + 4)), big(words.get(first + 5)))) {
            return false;
        }
        here.window().putLong(Slab.index(result), Atomics.LITTLE ? old[0] : Long.reverseBytes(old[0]));
        bytes = 8;
        return true;
    }

    /** Changes 8 bytes, and has what was found in {@link #old}; false when they change too fast. */
    private boolean change(int opcode, SharedKeys.Region there, int index, long first, long second) {
        Atomics atomics = there.atomics();
        ByteBuffer memory = there.window();
        switch (opcode) {
            case Wqe.ATOMIC_CS:
                old[0] = atomics.compareAndSwap(memory, index, second, first);
                return true;
            case Wqe.ATOMIC_FA:
                old[0] = atomics.fetchAndAdd(memory, index, first);
                return true;
            default:
                return atomics.maskedFetchAndAdd(memory, index, first, second, old);
        }
    }
}
