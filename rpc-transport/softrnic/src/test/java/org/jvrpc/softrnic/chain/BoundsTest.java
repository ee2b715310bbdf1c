package org.jvrpc.softrnic.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.OneSlab;
import org.jvrpc.softrnic.memory.RegionEntry;
import org.jvrpc.softrnic.memory.SharedKeys;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.contract.Pattern;

/**
 * Every check that decides whether an address of the wire lies in a region, against arithmetic that cannot overflow:
 * addresses behind the region's end by {@code k * 2^32 - r}, where an {@code int} forgets {@code k}.
 */
final class BoundsTest {

    private static final int KEY = 5 << 8 | 7;
    private static final int PD = 3;
    private static final int ALL =
            Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
    private static final int SLAB_BYTES = 1 << 20;
    private static final int REGION = 1 << 19;
    private static final int LENGTH = 4096;
    private static final int CODE = 1 << 18;
    private static final int DATA = REGION + LENGTH / 2;
    private static final int[] PIECES = {1, 4, 8, 24, 100, LENGTH};
    private static final byte UNTOUCHED = 0x5a;

    private final Slab slab = Slab.wrap(ByteBuffer.allocateDirect(SLAB_BYTES), 0);
    private final ByteBuffer memory = slab.window(slab.base());
    private final long start = slab.base() + REGION;
    private final AddressSpace space = new OneSlab(slab);
    private final SharedKeys keys = new SharedKeys(space, PD);
    private final ShortVerbs verbs = new ShortVerbs(memory, CODE, Wqe.BLOCK - 1, keys, keys, 1 << 20);
    private final byte[] before = new byte[SLAB_BYTES];
    private int key = KEY;

    @BeforeEach
    void publish() {
        for (int i = (int) RegionEntry.TABLE_BYTES; i < SLAB_BYTES; i++) {
            memory.put(i, UNTOUCHED);
        }
        RegionEntry.publish(memory, RegionEntry.offset(KEY), KEY, ALL, PD, start, LENGTH);
    }

    private Set<Long> addresses() {
        SplittableRandom random = new SplittableRandom(Pattern.seed("BoundsTest"));
        Set<Long> multiples = new TreeSet<>();
        for (long k = -70; k < 300; k++) {
            multiples.add(k);
        }
        for (int bit = 0; bit < 32; bit++) {
            multiples.add(1L << bit);
            multiples.add(-(1L << bit));
        }
        for (int n = 0; n < 200; n++) {
            multiples.add((long) random.nextInt());
        }
        Set<Long> addresses = new TreeSet<>();
        for (long k : multiples) {
            for (long r : new long[] {0, 1, 7, 8, 24, 100, LENGTH - 1, LENGTH, LENGTH + 1, LENGTH + 100, 2 * LENGTH,
                REGION, 1 << 20, (1 << 20) + 1, 1L << 30, (1L << 31) - 1, 1L << 31, (1L << 32) - 1,
                random.nextLong(1L << 32)}) {
                addresses.add(start + LENGTH + (k << 32) - r);
            }
        }
        return addresses;
    }

    private boolean isInside(long address, long bytes) {
        BigInteger from = new BigInteger(Long.toUnsignedString(address));
        BigInteger first = BigInteger.valueOf(start);
        return from.compareTo(first) >= 0
                && from.add(BigInteger.valueOf(bytes)).compareTo(first.add(BigInteger.valueOf(LENGTH))) <= 0;
    }

    private static String at(long address, long bytes) {
        return "address=0x" + Long.toHexString(address) + " bytes=" + bytes;
    }

    @Test
    void aKeyGivesBytesOfItsRegionOnly() {
        for (long address : addresses()) {
            for (long bytes : new long[] {1, 8, 100, LENGTH, 1L << 31, Long.MAX_VALUE}) {
                assertEquals(isInside(address, bytes), keys.find(KEY, address, bytes, ALL) != null, at(address, bytes));
                long room = keys.region(KEY, ALL).room(address);
                assertTrue(room >= 0 && room <= LENGTH, () -> "room=" + room + " at " + at(address, bytes));
                assertEquals(isInside(address, bytes), room >= bytes, at(address, bytes));
            }
        }
    }

    /** Puts a one-sided WQE of one piece into the ring; returns its first word. */
    private long wqe(int opcode, long remote, long local, int length) {
        int segments = Wqe.dataOffset(opcode) / Wqe.SEGMENT + 1;
        long control = (long) Wqe.opmodIndexOpcode(0, 0, opcode) << 32 | segments;
        BigEndian.putLong(memory, CODE, control);
        BigEndian.putLong(memory, CODE + Wqe.REMOTE, remote);
        BigEndian.putLong(memory, CODE + Wqe.REMOTE + 8, (long) key << 32);
        int data = CODE + Wqe.dataOffset(opcode);
        BigEndian.putLong(memory, data, (long) length << 32 | key);
        BigEndian.putLong(memory, data + 8, local);
        return control;
    }

    private void expectNothingOutsideWasWritten(String what) {
        memory.get(0, before);
        for (int i = (int) RegionEntry.TABLE_BYTES; i < SLAB_BYTES; i++) {
            boolean mayChange = i >= REGION && i < REGION + LENGTH || i >= CODE && i < CODE + Wqe.BLOCK;
            if (!mayChange && before[i] != UNTOUCHED) {
                throw new AssertionError(what + " wrote at " + (i - REGION) + " from the region's start");
            }
        }
    }

    @Test
    void oneSidedVerbsReachTheirRegionOnly() {
        int checked = 0;
        for (long address : addresses()) {
            for (int piece : PIECES) {
                for (int opcode : new int[] {Wqe.RDMA_WRITE, Wqe.RDMA_READ, Wqe.ATOMIC_FA}) {
                    int length = opcode == Wqe.ATOMIC_FA ? 8 : piece;
                    long near = slab.base() + DATA - (piece == LENGTH ? LENGTH / 2 : 0);
                    expect(opcode, address, near, length);
                    if (opcode != Wqe.ATOMIC_FA) {
                        expect(opcode, near, address, length);
                    }
                    checked++;
                }
            }
        }
        expectNothingOutsideWasWritten(checked + " WQEs");
    }

    private void expect(int opcode, long remote, long local, int length) {
        boolean atomic = opcode == Wqe.ATOMIC_FA;
        boolean allowed = isInside(remote, length) && isInside(local, length) && (!atomic || (remote & 7) == 0);
        String what = "opcode=" + opcode + " remote " + at(remote, length) + " local " + at(local, length);
        long control = wqe(opcode, remote, local, length);
        boolean done;
        try {
            done = verbs.execute(0, control);
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
        assertEquals(allowed, done, what);
    }

    @Test
    void oneSidedVerbsNeedTheirRights() {
        for (int access = 0; access <= ALL; access++) {
            key = KEY & ~0xff | access; // another one in the same place: what a key may do does not change
            RegionEntry.publish(memory, RegionEntry.offset(key), key, access, PD, start, LENGTH);
            needs(access, Wqe.RDMA_WRITE, Access.REMOTE_WRITE);
            needs(access, Wqe.RDMA_READ, Access.REMOTE_READ | Access.LOCAL_WRITE);
            needs(access, Wqe.ATOMIC_FA, Access.REMOTE_ATOMIC | Access.LOCAL_WRITE);
        }
    }

    private void needs(int access, int opcode, int rights) {
        long control = wqe(opcode, start, start + 8, 8);
        assertEquals((access & rights) == rights, verbs.execute(0, control),
                () -> "opcode=" + opcode + " rights needed=" + rights + " given=" + access);
    }
}
