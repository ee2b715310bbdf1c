package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.SharedMemoryFolder;

/** Slabs that make no sense, and direct memory of more than a window. */
class SlabTest {

    @TempDir
    private Path folder;

    private static void grow(Path file, long bytes) throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(bytes);
        }
    }

    @Test
    void aSparseSlabOfATebibyteIsRefusedBeforeAnythingOfItIsMapped() throws IOException {
        Path file = SharedMemoryFolder.path().resolve("sparse");
        try {
            grow(file, 1L << 40);
            IOException refusal = assertThrows(IOException.class, () -> Slab.open(file, 1).length());
            assertTrue(refusal.getMessage().contains("length=" + (1L << 40)), refusal.getMessage());
        } finally {
            Files.deleteIfExists(file);
        }
    }

    @Test
    void anEmptySlabIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("0"));
        assertThrows(IOException.class, () -> Slab.open(file, 0).length());
    }

    @Test
    void aLinkInPlaceOfASlabIsNotFollowed() throws IOException {
        Path target = Files.write(folder.resolve("target"), new byte[8192]);
        Path link = Files.createSymbolicLink(folder.resolve("1"), target);
        assertThrows(IOException.class, () -> Slab.open(link, 1).length());
    }

    @Test
    void directMemoryOfMoreThanAWindowIsReachedToItsEnd() throws IOException {
        long bytes = (3L << 29) + 4096;
        Path file = folder.resolve("large");
        grow(file, bytes); // sparse: only what is touched takes memory
        try (FileChannel channel = FileChannel.open(file, java.nio.file.StandardOpenOption.READ,
                java.nio.file.StandardOpenOption.WRITE)) {
            ByteBuffer direct = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            Slab slab = Slab.wrap(direct.position(64), 5);
            assertEquals(bytes - 64, slab.length());
            long last = slab.base() + slab.length() - 1;
            slab.window(last).put(Slab.index(last), (byte) 7);
            assertEquals(7, direct.get((int) bytes - 1));
            slab.window(slab.base()).put(0, (byte) 8);
            assertEquals(8, direct.get(64));
        }
    }

    @Test
    void noMoreThanItsBytesAreWithinASlab() {
        Slab slab = Slab.wrap(ByteBuffer.allocateDirect(4096), 2);
        assertTrue(slab.contains(slab.base(), 4096));
        assertTrue(slab.contains(slab.base() + 4096, 0));
        assertFalse(slab.contains(slab.base() + 1, 4096));
        assertFalse(slab.contains(slab.base() + 4097, 0));
        assertFalse(slab.contains(slab.base() - 1, 0));
        assertFalse(slab.contains(slab.base(), -1));
        assertFalse(slab.contains(slab.base() + 1, Long.MAX_VALUE));
    }

    @Test
    void bytesThatEndWithAWindowDoNotCrossItAndOneMoreDoes() throws IOException {
        Path file = folder.resolve("windows");
        grow(file, Slab.WINDOW + 4096);
        try (FileChannel channel = FileChannel.open(file, java.nio.file.StandardOpenOption.READ,
                java.nio.file.StandardOpenOption.WRITE)) {
            Slab slab = Slab.wrap(channel.map(FileChannel.MapMode.READ_WRITE, 0, Slab.WINDOW + 4096), 5);
            long address = slab.base() + Slab.WINDOW - 64;
            assertTrue(slab.containsInWindow(address, 64));
            assertFalse(slab.containsInWindow(address, 65));
            assertFalse(slab.containsInWindow(slab.base() + slab.length(), 1));
        }
    }

    @Test
    void aSlabsFileIsAsLongAsTheSlab() throws IOException {
        long bytes = (1 << 18) + 4096;
        Path file = folder.resolve("made");
        Slab slab = Slab.create(file, 1, bytes);
        assertEquals(bytes, slab.length());
        assertEquals(bytes, Files.size(file));
    }

    @Test
    void twoMappingsOfAFileAreTheSameMemory() throws IOException {
        Path file = folder.resolve("shared");
        Slab made = Slab.create(file, 1, 8192);
        Slab opened = Slab.open(file, 3);
        assertEquals(8192, opened.length());
        assertEquals(Slab.baseOf(3), opened.base());
        made.window(made.base()).put(8191, (byte) 7);
        assertEquals(7, opened.window(opened.base()).get(8191));
    }

    @Test
    void aViewIsOfItsRegionAndOfNothingBesideIt() {
        ByteBuffer memory = ByteBuffer.allocateDirect(4096);
        Slab slab = Slab.wrap(memory, 2);
        long region = slab.base() + 64;
        ByteBuffer view = slab.view(region, 100, 90, 10);
        assertEquals(10, view.capacity());
        view.putShort(8, (short) 0x0102);
        assertEquals(0x0201, memory.getShort(64 + 98), "little-endian");
        ByteBuffer none = slab.view(region, 100, 100, 0);
        assertEquals(0, none.capacity());
        assertTrue(none.isDirect());
        assertThrows(IndexOutOfBoundsException.class, () -> slab.view(region, 100, 91, 10));
        assertThrows(IndexOutOfBoundsException.class, () -> slab.view(region, 100, -1, 10));
        assertThrows(IndexOutOfBoundsException.class, () -> slab.view(region, 100, 101, 0));
    }

    @Test
    void bytesAreCopiedFromSlabToSlab() {
        Slab one = Slab.wrap(ByteBuffer.allocateDirect(1024), 2);
        ByteBuffer memory = ByteBuffer.allocateDirect(1024);
        Slab two = Slab.wrap(memory, 5);
        for (int i = 0; i < 1024; i++) {
            one.window(one.base()).put(i, (byte) (i % 200 + 1));
        }
        Copy.bytes(one, one.base() + 7, two, two.base() + 100, 300);
        for (int i = 0; i < 300; i++) {
            assertEquals((byte) ((i + 7) % 200 + 1), memory.get(100 + i), "byte " + i);
        }
        assertTrue(memory.get(99) == 0 && memory.get(400) == 0);
        Copy.bytes(one, one.base(), two, two.base(), 0);
        assertEquals(0, memory.get(0));
    }
}
