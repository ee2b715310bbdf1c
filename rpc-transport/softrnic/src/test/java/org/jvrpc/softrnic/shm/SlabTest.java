package org.jvrpc.softrnic.shm;

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
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.SharedKeys;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.VerbsException;

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

    /** A folder as a device of another version would leave it. */
    private Path foreign(byte[] firstSlab) throws IOException {
        Path device = Files.createDirectory(folder.resolve("d-4194305-ab"));
        Files.createFile(device.resolve("lock"));
        Files.write(device.resolve("0"), firstSlab);
        return device;
    }

    @Test
    void anArenaOfAnotherLayoutIsRefusedByItsVersion() throws IOException {
        byte[] slab = new byte[1 << 20];
        Path device = foreign(slab);
        RemoteArena arena = new RemoteArena(DeviceFolder.use("modify_qp", device));
        VerbsException refusal = assertThrows(VerbsException.class, () -> new SharedKeys(arena, 1));
        arena.close();
        assertTrue(refusal.getMessage().contains("layout version=0, this side knows version="
                + ArenaHeader.VERSION), refusal.getMessage());
    }

    @Test
    void anArenaThatIsTooShortIsRefused() throws IOException {
        RemoteArena arena = new RemoteArena(DeviceFolder.use("modify_qp", foreign(new byte[4096])));
        VerbsException refusal = assertThrows(VerbsException.class, () -> new SharedKeys(arena, 1));
        arena.close();
        assertTrue(refusal.getMessage().contains("bytes=4096"), refusal.getMessage());
    }
}
