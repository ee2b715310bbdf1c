package org.jvrpc.softrnic.queue;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.softrnic.memory.Slab;

/** Pieces of memory, also such as lie across the end of a window, to the byte. */
final class GatherListTest {

    @TempDir
    private Path folder;
    private Slab source;
    private Slab target;
    private final GatherList list = new GatherList();

    @BeforeEach
    void makeSlabs() {
        source = slab("source", 3);
        target = slab("target", 5);
    }

    /** Two windows; sparse, only what is touched takes memory. */
    private Slab slab(String name, int segment) {
        try (RandomAccessFile sparse = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
            sparse.setLength(Slab.WINDOW + 4096);
            return Slab.wrap(sparse.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, sparse.length()), segment);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long end(Slab slab) {
        return slab.base() + Slab.WINDOW;
    }

    private static void put(Slab slab, long address, int... bytes) {
        for (int i = 0; i < bytes.length; i++) {
            slab.window(address + i).put(Slab.index(address + i), (byte) bytes[i]);
        }
    }

    private static byte[] get(Slab slab, long address, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = slab.window(address + i).get(Slab.index(address + i));
        }
        return bytes;
    }

    private static ByteBuffer ring(int... bytes) {
        ByteBuffer ring = ByteBuffer.allocateDirect(64);
        for (int i = 0; i < bytes.length; i++) {
            ring.put(10 + i, (byte) bytes[i]);
        }
        return ring;
    }

    /** Three pieces of 9 bytes in all: within a window, across its end, and from a ring. */
    private void collect() {
        put(source, source.base() + 16, 1, 2, 3);
        put(source, end(source) - 1, 4, 5, 6);
        list.add(source, source.base() + 16, 3);
        list.add(source, end(source) - 1, 3);
        list.add(ring(7, 8, 9), 10, 3);
    }

    @Test
    void allOfItIsGatheredInOrder() {
        collect();
        assertEquals(9, list.total());
        ByteBuffer to = ByteBuffer.allocateDirect(12);
        list.gather(to, 2);
        byte[] bytes = new byte[12];
        to.get(bytes);
        assertArrayEquals(new byte[] {0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0}, bytes);
    }

    @Test
    void aPieceThatEndsWithItsWindowIsGathered() {
        put(source, end(source) - 3, 1, 2, 3, 4);
        list.add(source, end(source) - 3, 3);
        ByteBuffer to = ByteBuffer.allocateDirect(4);
        list.gather(to, 0);
        assertEquals(0x01020300, to.getInt(0));
    }

    @Test
    void anyPartOfItIsGatheredToAnyPlaceAlsoAcrossTheEndOfAWindow() {
        collect();
        for (long to : new long[] {target.base() + 64, end(target) - 1, end(target) - 4, end(target) - 9}) {
            for (int skip = 0; skip < 9; skip++) {
                for (int bytes = 0; bytes <= 9 - skip; bytes++) {
                    put(target, to - 1, new int[11]);
                    list.gather(skip, target, to, bytes);
                    byte[] expected = new byte[11];
                    for (int i = 0; i < bytes; i++) {
                        expected[1 + i] = (byte) (skip + i + 1);
                    }
                    assertArrayEquals(expected, get(target, to - 1, 11),
                            "skip=" + skip + " bytes=" + bytes + " to=" + Long.toHexString(to));
                }
            }
        }
    }

    @Test
    void anyPartOfItIsGatheredToAPacket() {
        collect();
        for (int skip = 0; skip < 9; skip++) {
            for (int bytes = 0; bytes <= 9 - skip; bytes++) {
                ByteBuffer packet = ByteBuffer.allocateDirect(12);
                list.gather(skip, packet, 2, bytes);
                byte[] found = new byte[12];
                packet.get(0, found);
                byte[] expected = new byte[12];
                for (int i = 0; i < bytes; i++) {
                    expected[2 + i] = (byte) (skip + i + 1);
                }
                assertArrayEquals(expected, found, "skip=" + skip + " bytes=" + bytes);
            }
        }
    }

    @Test
    void aPacketIsScatteredOverAnyPartOfIt() {
        ByteBuffer packet = ByteBuffer.allocateDirect(12);
        for (int i = 0; i < 12; i++) {
            packet.put(i, (byte) (i + 1));
        }
        list.add(target, target.base() + 16, 4);
        list.add(target, end(target) - 2, 5);
        for (int skip = 0; skip < 9; skip++) {
            for (int bytes = 0; bytes <= 9 - skip; bytes++) {
                put(target, target.base() + 15, new int[6]);
                put(target, end(target) - 3, new int[7]);
                list.scatter(skip, packet, 1, bytes);
                byte[] all = new byte[9];
                for (int i = 0; i < bytes; i++) {
                    all[skip + i] = (byte) (i + 2);
                }
                String what = "skip=" + skip + " bytes=" + bytes;
                assertArrayEquals(new byte[] {0, all[0], all[1], all[2], all[3], 0},
                        get(target, target.base() + 15, 6), what);
                assertArrayEquals(new byte[] {0, all[4], all[5], all[6], all[7], all[8], 0},
                        get(target, end(target) - 3, 7), what);
            }
        }
    }

    @Test
    void aPieceAcrossTheEndOfAWindowIsGatheredToItsLastByte() {
        put(source, end(source) - 1, 1, 2, 3, 4, 5, 6, 7);
        list.add(source, end(source) - 1, 3);
        ByteBuffer to = ByteBuffer.allocateDirect(8);
        list.gather(to, 0);
        assertEquals(0x0102030000000000L, to.getLong(0));
    }

    @Test
    void noMoreIsGatheredThanThereIs() {
        put(source, source.base(), 1, 2, 3, 4, 5, 6, 7, 8);
        list.add(source, source.base(), 4);
        list.add(source, source.base() + 4, 4);
        list.clear();
        list.add(source, source.base(), 4);
        list.gather(0, target, target.base(), 8);
        assertArrayEquals(new byte[] {1, 2, 3, 4, 0, 0, 0, 0}, get(target, target.base(), 8));
    }

    @Test
    void whatIsReadIsScatteredOverAllPieces() {
        put(source, end(source) - 4, 1, 2, 3, 4, 5, 6, 7, 8);
        list.add(target, target.base(), 3);
        list.add(target, end(target) - 2, 4);
        list.scatter(source, end(source) - 4);
        assertArrayEquals(new byte[] {1, 2, 3, 0}, get(target, target.base(), 4));
        assertArrayEquals(new byte[] {0, 4, 5, 6, 7, 0}, get(target, end(target) - 3, 6));
    }

    @Test
    void onlyOnePieceOfEightBytesInOneWindowIsOneLong() {
        list.add(target, target.base() + 8, 8);
        assertTrue(list.isOneLong());
        list.putLong(0x0102030405060708L);
        assertEquals(0x0102030405060708L, target.window(target.base()).getLong(8), "little-endian, as the host is");
        assertEquals(0, target.window(target.base()).getLong(16), "nothing behind it");
        list.clear();
        assertEquals(0, list.total());
        assertFalse(list.isOneLong(), "none");
        list.add(target, target.base() + 8, 4);
        list.add(target, target.base() + 12, 4);
        assertFalse(list.isOneLong(), "two pieces");
        list.clear();
        list.add(target, target.base() + 8, 7);
        assertFalse(list.isOneLong(), "too short");
        list.clear();
        list.add(target, end(target) - 4, 8);
        assertFalse(list.isOneLong(), "it lies across the end of a window");
    }

    @Test
    void piecesOfTheWqeBeforeAreForgotten() {
        list.add(target, target.base() + 100, 4);
        list.add(target, target.base() + 200, 4);
        list.clear();
        put(source, source.base(), 1, 2, 3, 4, 5, 6, 7, 8);
        list.add(target, target.base(), 4);
        list.scatter(source, source.base());
        assertArrayEquals(new byte[] {1, 2, 3, 4}, get(target, target.base(), 4));
        assertArrayEquals(new byte[4], get(target, target.base() + 100, 4));
        assertArrayEquals(new byte[4], get(target, target.base() + 200, 4));
    }

    @Test
    void aPieceThatEndsWithTheLastWindowIsGathered() throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(folder.resolve("one").toFile(), "rw")) {
            sparse.setLength(Slab.WINDOW);
            Slab one = Slab.wrap(sparse.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, Slab.WINDOW), 7);
            put(one, end(one) - 3, 1, 2, 3);
            list.add(one, end(one) - 3, 3);
        }
        ByteBuffer to = ByteBuffer.allocateDirect(4);
        list.gather(to, 0);
        assertEquals(0x01020300, to.getInt(0));
    }
}
