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
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
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
    void anInterruptedThreadMakesMapsAndReturnsMemory() throws IOException {
        Path file = folder.resolve("2");
        Path kept = folder.resolve("kept");
        Thread.currentThread().interrupt();
        try {
            Slab made = Slab.create(file, 2, 8192);
            Slab mapped = Slab.open(file, 2);
            made.window(made.base()).put(5, (byte) 7);
            assertEquals(7, mapped.window(mapped.base()).get(5));
            Files.createLink(kept, file);
            Slab.remove(file, true);
        } finally {
            assertTrue(Thread.interrupted(), "the interrupt is lost");
        }
        assertFalse(Files.exists(file));
        assertEquals(0, Files.size(kept), "bytes that are not returned");
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
        try (FileChannel channel = open(file)) {
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
        try (FileChannel channel = open(file)) {
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

    @Test
    void aSlabAsLongAsItsWholeFileSystemIsRefusedWhileAnyOfThatIsFree() throws IOException {
        Path file = SharedMemoryFolder.path().resolve("full");
        long bytes = SharedMemoryFolder.path().toFile().getTotalSpace();
        try {
            grow(file, bytes);
            IOException refusal = assertThrows(IOException.class, () -> Slab.open(file, 1).length());
            assertTrue(refusal.getMessage().contains("length=" + bytes), refusal.getMessage());
        } finally {
            Files.deleteIfExists(file);
        }
    }

    @Test
    void aSlabOfOneByteIsASlab() throws IOException {
        Path file = Files.write(folder.resolve("2"), new byte[] {7});
        Slab slab = Slab.open(file, 2);
        assertEquals(1, slab.length());
        assertEquals(7, slab.window(slab.base()).get(0));
    }

    @Test
    void aFileOfTwoWindowsIsMappedToItsEndAndNotGrown() throws IOException {
        Path file = folder.resolve("two");
        long bytes = Slab.WINDOW + 8192;
        grow(file, bytes);
        try (FileChannel channel = open(file)) {
            Slab slab = Slab.map(channel, 3, bytes);
            long last = slab.base() + bytes - 1;
            assertEquals(8192, slab.window(last).capacity());
            slab.window(last).put(Slab.index(last), (byte) 7);
            ByteBuffer read = ByteBuffer.allocate(1);
            assertEquals(1, channel.read(read, bytes - 1));
            assertEquals(7, read.get(0));
            assertEquals(bytes, channel.size());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Slab.WINDOW, Slab.WINDOW - 1})
    void whatFillsOneWindowHasOne(long bytes) throws IOException {
        Path file = folder.resolve("one");
        grow(file, bytes);
        try (FileChannel channel = open(file)) {
            Slab mapped = Slab.map(channel, 3, bytes);
            Slab wrapped = Slab.wrap(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes), 4);
            for (Slab slab : List.of(mapped, wrapped)) {
                assertEquals(bytes, slab.window(slab.base()).capacity());
                long behind = slab.base() + Slab.WINDOW;
                assertThrows(IndexOutOfBoundsException.class, () -> slab.window(behind), "a second window");
            }
        }
    }

    @Test
    void aViewMayEndWithItsWindowAndNotBehindIt() throws IOException {
        Path file = folder.resolve("view");
        grow(file, Slab.WINDOW + 4096);
        try (FileChannel channel = open(file)) {
            Slab slab = Slab.map(channel, 3, Slab.WINDOW + 4096);
            ByteBuffer view = slab.view(slab.base(), slab.length(), Slab.WINDOW - 64, 64);
            assertEquals(64, view.capacity());
            String message = assertThrows(IndexOutOfBoundsException.class,
                    () -> slab.view(slab.base(), slab.length(), Slab.WINDOW - 64, 65)).getMessage();
            assertTrue(message.contains("length=65"), message);
        }
    }

    @Test
    void aSlabThatIsReturnedHasNoMemoryAnyMoreAndOneThatIsNotLosesItsNameOnly() throws IOException {
        for (boolean returned : new boolean[] {true, false}) {
            Path file = Files.write(folder.resolve("gone"), new byte[8192]);
            try (FileChannel channel = open(file)) {
                Slab.remove(file, returned);
                assertFalse(Files.exists(file));
                assertEquals(returned ? 0 : 8192, channel.size());
            }
            Slab.remove(file, returned); // it is gone
        }
    }

    @Test
    void aLinkInPlaceOfASlabIsRemovedAndWhatItNamesIsNot() throws IOException {
        Path target = Files.write(folder.resolve("target"), new byte[8192]);
        Path link = Files.createSymbolicLink(folder.resolve("link"), target);
        Slab.remove(link, true);
        assertFalse(Files.exists(link, LinkOption.NOFOLLOW_LINKS));
        assertEquals(8192, Files.size(target));
    }

    @Test
    void bytesAreCopiedAcrossTheWindowsOfBothSlabs() throws IOException {
        Path read = folder.resolve("read");
        Path written = folder.resolve("written");
        grow(read, Slab.WINDOW + 4096);
        grow(written, Slab.WINDOW + 4096);
        try (FileChannel one = open(read); FileChannel two = open(written)) {
            Slab from = Slab.map(one, 3, Slab.WINDOW + 4096);
            Slab to = Slab.map(two, 4, Slab.WINDOW + 4096);
            long source = from.base() + Slab.WINDOW - 3;
            long target = to.base() + Slab.WINDOW - 50;
            for (int i = 0; i < 100; i++) {
                from.window(source + i).put(Slab.index(source + i), (byte) (i + 1));
            }
            Copy.bytes(from, source, to, target, 100); // in three pieces
            for (int i = 0; i < 100; i++) {
                assertEquals(i + 1, to.window(target + i).get(Slab.index(target + i)), "byte " + i);
            }
        }
    }
}
