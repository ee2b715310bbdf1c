package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
}
