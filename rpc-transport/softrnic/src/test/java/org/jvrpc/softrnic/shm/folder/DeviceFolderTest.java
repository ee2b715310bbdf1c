package org.jvrpc.softrnic.shm.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.VerbsException;

/** A device's folder: who is in it, when it is swept, which slabs are found. Of other processes only the files. */
class DeviceFolderTest {

    private static final int BYTES = 1 << 16;

    @TempDir
    private Path parent;
    private Path path;

    @BeforeEach
    void name() {
        path = parent.resolve("d-4194305-ab");
    }

    /** Makes a folder as a dead process left it, with a slab. */
    private void dead() throws IOException {
        Files.createDirectory(path);
        Files.createFile(path.resolve("lock"));
        slab(1, BYTES);
    }

    private void slab(int segment, int bytes) throws IOException {
        Files.write(path.resolve(Integer.toString(segment)), new byte[bytes]);
    }

    private void age(long seconds) throws IOException {
        Files.setLastModifiedTime(path, FileTime.fromMillis(System.currentTimeMillis() - seconds * 1000));
    }

    // ---- who is in it

    @Test
    void aFolderIsMadeForItsOwnerAloneWhoLivesInItUntilItLeaves() throws IOException {
        DeviceFolder own = DeviceFolder.create(path, null);
        assertEquals(path, own.path());
        assertTrue(own.exists());
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        assertFalse(DeviceFolder.isDead(path));
        assertFalse(DeviceFolder.sweep(path));
        assertFalse(ShmDirectory.sweepDevice(path));
        assertThrows(FileAlreadyExistsException.class, () -> DeviceFolder.create(path, null));
        own.disown();
        assertFalse(Files.exists(path), "left by the last who was in it");
        own.disown();
        assertFalse(own.exists());
        assertTrue(DeviceFolder.isDead(path));
    }

    /** A channel that an interrupt closes would lose the locks of all who are in the folder. */
    @Test
    void anInterruptedThreadComesLooksAndLeaves() throws IOException {
        Thread.currentThread().interrupt();
        try {
            DeviceFolder own = DeviceFolder.create(path, null);
            DeviceFolder used = DeviceFolder.use("attach", path);
            assertFalse(DeviceFolder.isDead(path));
            slab(1, BYTES);
            used.release();
            assertTrue(own.exists());
            own.disown();
            assertFalse(Files.exists(path), "left by the last who was in it");
            dead();
            assertTrue(DeviceFolder.isDead(path));
            assertTrue(DeviceFolder.sweep(path));
        } finally {
            assertTrue(Thread.interrupted(), "the interrupt is lost");
        }
        assertFalse(Files.exists(path), "left by a dead process");
    }

    @Test
    void whereALockFileIsThereAlreadyNothingIsMadeAndNothingIsForgotten() throws IOException {
        DeviceFolder.create(path, null).disown();
        DeviceFolder again = DeviceFolder.create(path, null);
        assertSame(again, DeviceFolder.use("attach", path));
        again.release();
        assertTrue(again.exists(), "its owner is in it");
        again.disown();
    }

    @Test
    void whatAnOwnerLeavesBelongsToItsUsersAndIsDeadForOthers() throws IOException {
        DeviceFolder own = DeviceFolder.create(path, null);
        assertSame(own, DeviceFolder.use("attach", path));
        assertSame(own, DeviceFolder.use("attach", path));
        slab(1, BYTES);
        own.disown();
        assertTrue(DeviceFolder.isDead(path));
        assertFalse(DeviceFolder.sweep(path), "swept from under its users");
        own.release();
        assertTrue(own.exists(), "one is left");
        own.release();
        assertFalse(Files.exists(path), "left by the last who was in it");
    }

    @Test
    void aPeersFolderIsOneObjectUntilItsLastUserLeaves() throws IOException {
        dead();
        DeviceFolder folder = DeviceFolder.use("attach", path);
        assertSame(folder, DeviceFolder.use("attach", path));
        assertNull(folder.find(Slab.baseOf(2), 1));
        folder.release();
        assertTrue(folder.exists());
        folder.disown();
        assertTrue(folder.exists(), "who does not own it cannot leave it as its owner");
        folder.release();
        assertFalse(Files.exists(path));
        dead();
        DeviceFolder next = DeviceFolder.use("attach", path);
        assertNotSame(folder, next);
        next.release();
    }

    /** Returns how many descriptors this process has of the folder's lock. */
    private long descriptors() throws IOException {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(this::isOfFolder).count();
        }
    }

    private boolean isOfFolder(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith(path.toString());
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    @Test
    void aProcessHasOneDescriptorOfAFolderUntilItLeaves() throws IOException {
        dead();
        assertTrue(DeviceFolder.isDead(path));
        assertEquals(0, descriptors());
        DeviceFolder folder = DeviceFolder.use("attach", path);
        DeviceFolder.use("attach", path);
        assertTrue(DeviceFolder.isDead(path));
        assertEquals(1, descriptors());
        folder.release();
        folder.release();
        assertEquals(0, descriptors());
        DeviceFolder own = DeviceFolder.create(path, null);
        assertEquals(1, descriptors());
        own.disown();
        assertEquals(0, descriptors());
    }

    @Test
    void aFolderThatIsGoneOrHeldByWhoRemovesItIsNotUsed() throws IOException {
        String gone = assertThrows(VerbsException.class, () -> DeviceFolder.use("attach", path)).getMessage();
        assertTrue(gone.contains("attach") && gone.contains("the device is gone: no device folder=" + path), gone);
        dead();
        try (FileChannel remover = FileChannel.open(path.resolve("lock"), StandardOpenOption.WRITE);
                FileLock lock = remover.lock(0, 2, false)) {
            assertTrue(lock.isValid());
            String held = assertThrows(VerbsException.class, () -> DeviceFolder.use("attach", path)).getMessage();
            assertTrue(held.contains("the device is gone or cannot be reached: folder=" + path), held);
            assertFalse(DeviceFolder.isDead(path), "whoever holds the lock lives");
            assertEquals(1, descriptors(), "the remover's own");
        }
        DeviceFolder.use("attach", path).release();
    }

    // ---- what is swept

    @Test
    void aFolderWithoutALockIsDeadAMinuteAfterItWasMade() throws IOException {
        Files.createDirectory(path);
        slab(1, BYTES);
        age(30);
        assertFalse(DeviceFolder.isDead(path), "it may be just being made");
        assertFalse(DeviceFolder.sweep(path));
        assertTrue(Files.exists(path.resolve("1")));
        age(70);
        assertTrue(DeviceFolder.isDead(path));
        assertTrue(DeviceFolder.sweep(path));
        assertFalse(Files.exists(path));
        assertTrue(DeviceFolder.isDead(path), "one that is not there");
    }

    @Test
    void whatIsSweptIsGoneAndItsMemoryReturnedAtOnce() throws IOException {
        dead();
        Path other = Files.createLink(parent.resolve("other"), path.resolve("1")); // as a mapping keeps it
        assertTrue(DeviceFolder.sweep(path));
        assertFalse(Files.exists(path));
        assertEquals(0, Files.size(other));
    }

    @Test
    void whatCannotBeDeletedIsNotSwept() throws IOException {
        Files.createDirectories(path.resolve("folder").resolve("another"));
        age(70);
        assertFalse(DeviceFolder.sweep(path));
        assertTrue(Files.exists(path));
    }

    @Test
    void whatIsNoLockFileIsNeitherDeadNorSwept() throws IOException {
        Files.createDirectory(path);
        Path target = Files.createFile(parent.resolve("target"));
        Files.createSymbolicLink(path.resolve("lock"), target);
        age(70);
        assertFalse(DeviceFolder.isDead(path));
        assertFalse(DeviceFolder.sweep(path));
        assertThrows(VerbsException.class, () -> DeviceFolder.use("attach", path));
        assertTrue(Files.exists(target));
    }

    @Test
    void sweepingPassesOverWhatHasNoDevicesName() throws IOException {
        path = parent.resolve("d-somebody");
        dead();
        ShmDirectory.sweep(parent);
        assertFalse(ShmDirectory.sweepDevice(path));
        assertTrue(Files.exists(path.resolve("lock")));
        assertTrue(ShmDirectory.sweepDevice(parent.resolve("d-1-a")), "one that is not there is gone");
    }

    // ---- which slabs are found

    @Test
    void theOwnersSlabsAreFoundInItsArena() throws IOException {
        DeviceFolder own = DeviceFolder.create(path, null);
        Arena arena = new Arena(path);
        own.own(arena);
        Arena.Block block = arena.allocate(BYTES);
        assertSame(block.slab(), own.find(block.address(), BYTES));
        assertNull(own.find(Slab.baseOf(7), 1));
        own.disown();
    }

    @Test
    void aPeersSlabIsMappedOnceAndFoundForWhatLiesInIt() throws IOException {
        dead();
        slab(9, 2 * BYTES);
        DeviceFolder folder = DeviceFolder.use("attach", path);
        Slab slab = folder.find(Slab.baseOf(1), BYTES);
        assertNotNull(slab);
        assertSame(slab, folder.find(Slab.baseOf(1) + BYTES, 0));
        assertNull(folder.find(Slab.baseOf(1), BYTES + 1));
        Slab far = folder.find(Slab.baseOf(9) + BYTES, BYTES);
        assertEquals(2 * BYTES, far.length());
        assertSame(far, folder.find(Slab.baseOf(9), 1));
        assertSame(slab, folder.find(Slab.baseOf(1), 1), "it is known still");
        folder.release();
    }

    @Test
    void whereNoSlabIsOrOneThatCannotBeWholeNothingIsFound() throws IOException {
        dead();
        slab(2, 0);
        slab(Slab.MAX_SEGMENTS, BYTES);
        DeviceFolder folder = DeviceFolder.use("attach", path);
        for (long address : new long[] {0, 1, Slab.baseOf(0) - 1, Slab.baseOf(2), Slab.baseOf(3), Slab.baseOf(4),
            Slab.baseOf(Slab.MAX_SEGMENTS), -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertNull(folder.find(address, 1), "address=" + Long.toHexString(address));
        }
        folder.release();
    }

    @Test
    void aSlabThatItsOwnerDeletedIsLetGoWhenAnotherIsMapped() throws IOException {
        dead();
        slab(2, BYTES);
        DeviceFolder folder = DeviceFolder.use("attach", path);
        Slab first = folder.find(Slab.baseOf(1), 1);
        Files.delete(path.resolve("1"));
        assertSame(first, folder.find(Slab.baseOf(1), 1), "it is mapped");
        assertNotNull(folder.find(Slab.baseOf(2), 1));
        assertNull(folder.find(Slab.baseOf(1), 1));
        folder.release();
    }

    @Test
    void aFolderIsWholeUntilASlabThatIsMappedGetsShorter() throws IOException {
        dead();
        slab(3, BYTES);
        assertTrue(DeviceFolder.isWhole(path), "nobody uses it");
        DeviceFolder folder = DeviceFolder.use("attach", path);
        assertNotNull(folder.find(Slab.baseOf(1), 1));
        slab(3, 10);
        assertTrue(DeviceFolder.isWhole(path), "the other is not mapped");
        slab(1, 2 * BYTES);
        assertTrue(DeviceFolder.isWhole(path), "longer is whole");
        slab(1, BYTES - 1);
        assertFalse(DeviceFolder.isWhole(path));
        Files.delete(path.resolve("1"));
        assertTrue(DeviceFolder.isWhole(path), "who has a deleted file mapped has its memory");
        folder.release();
    }
}
