package org.jvrpc.softrnic.chain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Atomics;
import org.jvrpc.softrnic.memory.OneSlab;
import org.jvrpc.softrnic.memory.RegionEntry;
import org.jvrpc.softrnic.memory.SharedKeys;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.Access;

/** What the short way of chains moves, and what it leaves to the long one, untouched. */
final class ShortVerbsTest {

    private static final int PD = 3;
    private static final int ALL =
            Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
    private static final int HERE = 5 << 8 | 1;
    private static final int ALSO_HERE = 6 << 8 | 1;
    private static final int THERE = 7 << 8 | 1;
    private static final int START = (int) RegionEntry.TABLE_BYTES;
    private static final int RING_BYTES = 256;
    private static final int RING = START;
    private static final int NEAR = START + 4096;
    private static final int ALSO_NEAR = START + 8192;
    private static final int FAR = START + 12288;
    private static final int MOST = 1 << 20;
    private static final int END = FAR + MOST + 8192;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(END).order(ByteOrder.LITTLE_ENDIAN);
    private final Slab slab = Slab.wrap(memory, 0);
    private final SharedKeys keys = new SharedKeys(new OneSlab(slab), PD);
    private final ShortVerbs verbs = new ShortVerbs(memory, RING, RING_BYTES - 1, keys, keys, 1 << 20);
    private int at;
    private int next;

    @BeforeEach
    void publish() {
        publish(HERE, NEAR, 4096);
        publish(ALSO_HERE, ALSO_NEAR, 4096);
        publish(THERE, FAR, MOST + 4096);
        for (int i = 0; i < 2000; i++) {
            memory.put(NEAR + i, (byte) (i % 100 + 1)).put(ALSO_NEAR + i, (byte) (i % 100 + 101));
        }
    }

    private void publish(int key, int offset, long length) {
        RegionEntry.publish(memory, RegionEntry.offset(key), key, ALL, PD, address(offset), length);
    }

    private long address(int offset) {
        return slab.base() + offset;
    }

    @Test
    void aReadOfThreePiecesMovesNoneWhenTheLastHasNoRoom() {
        begin(0, FAR);
        piece(HERE, NEAR, 8);
        piece(HERE, NEAR + 8, 8);
        piece(ALSO_HERE, ALSO_NEAR + 4093, 4);
        byte[] before = new byte[16];
        memory.get(NEAR, before);
        assertFalse(execute(Wqe.RDMA_READ));
        byte[] now = new byte[16];
        memory.get(NEAR, now);
        assertArrayEquals(before, now);
    }

    /** Begins a WQE at an offset of the ring, and its remote segment. */
    private void begin(int offset, int remote) {
        at = offset;
        next = Wqe.REMOTE;
        put(address(remote), (long) THERE << 32);
    }

    private void put(long first, long second) {
        BigEndian.putLong(memory, RING + (at + next & RING_BYTES - 1), first);
        BigEndian.putLong(memory, RING + (at + next + 8 & RING_BYTES - 1), second);
        next += Wqe.SEGMENT;
    }

    private void piece(int key, int offset, int length) {
        put((long) length << 32 | key, address(offset));
    }

    private boolean execute(int opmod, int opcode) {
        return verbs.execute(at, (long) Wqe.opmodIndexOpcode(opmod, 0, opcode) << 32 | next / Wqe.SEGMENT);
    }

    private boolean execute(int opcode) {
        return execute(0, opcode);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 64, 192}) // the last goes on at the ring's start
    void aWriteGathersItsPiecesInOrder(int block) {
        begin(block, FAR + 1);
        piece(HERE, NEAR, 3);
        piece(ALSO_HERE, ALSO_NEAR + 5, 8);
        piece(HERE, NEAR + 10, 200);
        piece(HERE, NEAR + 300, 1);
        assertTrue(execute(Wqe.RDMA_WRITE));
        assertEquals(212, verbs.bytes());
        for (int i = 0; i < 212; i++) {
            int from = i < 3 ? NEAR + i : i < 11 ? ALSO_NEAR + 5 + i - 3 : i < 211 ? NEAR + 10 + i - 11 : NEAR + 300;
            assertEquals(memory.get(from), memory.get(FAR + 1 + i), "byte " + i);
        }
        assertEquals(0, memory.get(FAR));
        assertEquals(0, memory.get(FAR + 213));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 64, 192})
    void aReadScattersToItsPiecesInOrder(int block) {
        for (int i = 0; i < 216; i++) {
            memory.put(FAR + i, (byte) (i + 1));
        }
        begin(block, FAR);
        int[] lengths = {1, 4, 8, 3, 2, 198};
        int[] places = {
            NEAR + 2048, ALSO_NEAR + 2049, ALSO_NEAR + 2065, NEAR + 2080, ALSO_NEAR + 2091, NEAR + 2200};
        for (int i = 0; i < lengths.length; i++) {
            piece(places[i] < ALSO_NEAR ? HERE : ALSO_HERE, places[i], lengths[i]);
        }
        assertTrue(execute(Wqe.RDMA_READ));
        assertEquals(216, verbs.bytes());
        int value = 1;
        for (int i = 0; i < lengths.length; i++) {
            for (int b = 0; b < lengths[i]; b++) {
                assertEquals((byte) value++, memory.get(places[i] + b), "piece " + i + " byte " + b);
            }
            assertEquals(0, memory.get(places[i] - 1), "before piece " + i);
            assertEquals(0, memory.get(places[i] + lengths[i]), "behind piece " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Wqe.RDMA_READ, Wqe.RDMA_WRITE})
    void aMegabyteIsMovedAndOneByteMoreIsLeftToTheLongWay(int opcode) {
        publish(HERE + 256 * 5, NEAR, END - NEAR); // as long as all of it
        for (int more = 0; more < 2; more++) {
            begin(0, FAR);
            for (int i = 0; i < 4; i++) {
                piece(HERE + 256 * 5, FAR + i * MOST / 4, MOST / 4 + (i == 3 ? more : 0));
            }
            assertEquals(more == 0, execute(opcode), "more=" + more);
        }
        assertEquals(MOST, verbs.bytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {Wqe.RDMA_READ, Wqe.RDMA_WRITE})
    void theLastBytesOfBothRegionsAreReachedAndNoneBehind(int opcode) {
        int end = FAR + MOST + 4096;
        begin(0, end - 16);
        piece(HERE, NEAR + 4096 - 16, 16);
        assertTrue(execute(opcode));
        begin(0, end - 16);
        piece(HERE, NEAR + 4096 - 15, 16);
        assertFalse(execute(opcode), "behind this end's");
        begin(0, end - 16);
        piece(HERE, NEAR, 8);
        piece(HERE, NEAR, 9);
        assertFalse(execute(opcode), "behind the other's");
    }

    @ParameterizedTest
    @ValueSource(ints = {Wqe.RDMA_READ, Wqe.RDMA_WRITE})
    void whatIsUnusualIsLeftToTheLongWay(int opcode) {
        begin(0, FAR);
        assertFalse(execute(opcode), "no piece");
        piece(HERE, NEAR, 0);
        assertFalse(execute(opcode), "two GiB");
        begin(0, FAR);
        piece(HERE, NEAR, Wqe.INLINE | 8);
        assertFalse(execute(opcode), "inline data");
        begin(0, FAR);
        piece(HERE + 1, NEAR, 8);
        assertFalse(execute(opcode), "no such key");
        begin(0, FAR);
        piece(HERE, NEAR, 8);
        assertFalse(execute(Wqe.SEND), "a message");
        assertEquals(opcode == Wqe.RDMA_READ, execute(Wqe.CALC_ADD, opcode), "a WRITE that calculates");
        assertEquals(0, memory.getLong(FAR));
    }

    private boolean atomic(int opcode, long first, long second) {
        begin(0, FAR + 8);
        put(first, second);
        piece(HERE, NEAR + 2048, 8);
        return execute(opcode);
    }

    @Test
    void atomicsChangeEightBytesAndBringWhatWasThere() {
        Atomics.put(memory, FAR + 8, 0x1ff);
        assertTrue(atomic(Wqe.ATOMIC_FA, 1, 0));
        assertEquals(0x200, memory.getLong(FAR + 8));
        assertEquals(0x1ff, memory.getLong(NEAR + 2048));
        assertEquals(8, verbs.bytes());
        assertTrue(atomic(Wqe.ATOMIC_CS, 7, 0x1ff));
        assertEquals(0x200, memory.getLong(FAR + 8), "it was another");
        assertTrue(atomic(Wqe.ATOMIC_CS, 0xff, 0x200));
        assertEquals(0xff, memory.getLong(FAR + 8));
        assertEquals(0x200, memory.getLong(NEAR + 2048));
        assertTrue(atomic(Wqe.ATOMIC_MASKED_FA, 1, 0x80));
        assertEquals(0, memory.getLong(FAR + 8), "the carry is lost at the field's end");
        assertEquals(0, memory.getLong(FAR));
        assertEquals(0, memory.getLong(FAR + 16));
    }

    @Test
    void anAtomicWhoseResultDoesNotFitIsLeftToTheLongWay() {
        for (int length : new int[] {4, 16}) {
            begin(0, FAR);
            put(1, 0);
            piece(HERE, NEAR, length);
            assertFalse(execute(Wqe.ATOMIC_FA), "length=" + length);
        }
        begin(0, FAR);
        put(1, 0);
        piece(HERE, NEAR + 4, 8);
        assertFalse(execute(Wqe.ATOMIC_FA), "no multiple of 8");
        begin(0, FAR);
        put(1, 0);
        piece(HERE, NEAR, 8);
        piece(HERE, NEAR + 8, 8);
        assertFalse(execute(Wqe.ATOMIC_FA), "two pieces");
        begin(0, FAR);
        put(1, 0);
        piece(HERE, NEAR + 4096 - 8, 8);
        assertTrue(execute(Wqe.ATOMIC_FA), "the last of its region");
        begin(0, FAR + MOST + 4096 - 8);
        put(1, 0);
        piece(HERE, NEAR, 8);
        assertTrue(execute(Wqe.ATOMIC_FA), "the last of the other region");
        assertEquals(1, memory.getLong(FAR));
    }
}
