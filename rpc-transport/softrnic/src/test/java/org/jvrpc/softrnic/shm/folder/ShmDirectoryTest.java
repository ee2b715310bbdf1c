package org.jvrpc.softrnic.shm.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.VerbsException;

/** The folder where devices meet: whose it must be, and what stays in it. */
class ShmDirectoryTest {

    @TempDir
    private Path parent;
    private Path folder;

    @BeforeEach
    void name() {
        folder = parent.resolve("jvrpc-somebody");
    }

    private void refused(String part) {
        VerbsException refusal = assertThrows(VerbsException.class, () -> ShmDirectory.open(folder));
        assertTrue(refusal.getMessage().contains(part) && refusal.getMessage().contains(folder.toString()),
                refusal.getMessage());
    }

    @Test
    void aFolderIsMadeForItsOwnerAloneAndFoundAgain() throws IOException {
        assertEquals(folder, ShmDirectory.open(folder));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
        assertEquals(folder, ShmDirectory.open(folder));
    }

    @Test
    void foldersAboveItAreMadeWhereTheyAreMissingToo() {
        folder = parent.resolve("one").resolve("two");
        assertEquals(folder, ShmDirectory.open(folder));
    }

    @Test
    void aSymbolicLinkIsNotFollowed() throws IOException {
        Path target = Files.createDirectory(parent.resolve("target"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createSymbolicLink(folder, target);
        refused("is a symbolic link");
    }

    @Test
    void aFolderThatOthersMayEnterIsRefused() throws IOException {
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
        refused("must have mode 0700, has rwxr-x---");
    }

    @Test
    void aFolderOfAnotherUserIsRefused() throws IOException {
        ShmDirectory.open(folder);
        try {
            Files.setAttribute(folder, "unix:uid", 12345);
        } catch (IOException e) {
            assumeTrue(false, "only root can give a folder away: " + e);
        }
        refused("has uid=12345");
    }

    @Test
    void whereThereIsNoFolderInMemoryTemporaryFilesHaveIt() {
        assertEquals(parent.resolve("jvrpc-" + System.getProperty("user.name")), ShmDirectory.defaultFolder(parent));
        assertEquals(Path.of(System.getProperty("java.io.tmpdir"), "jvrpc-" + System.getProperty("user.name")),
                ShmDirectory.defaultFolder(parent.resolve("none")));
    }

    @Test
    void aUserWithoutANameHasAFolderByNumber() throws IOException {
        int self = (Integer) Files.getAttribute(parent, "unix:uid");
        assertEquals("jvrpc-" + self, ShmDirectory.defaultName("?"));
        assertEquals("jvrpc-" + self, ShmDirectory.defaultName(""));
        assertEquals("jvrpc-" + self, ShmDirectory.defaultName("../etc"));
        assertEquals("jvrpc-" + self, ShmDirectory.defaultName(null));
        assertEquals("jvrpc-some.body", ShmDirectory.defaultName("some.body"));
    }

    @Test
    void aNameIsLockedOnceAndLeavesNoFileOfItsOwn() throws IOException {
        ShmDirectory.open(folder);
        for (int i = 0; i < 100; i++) {
            NameLock one = NameLock.take(folder, "one-" + i);
            NameLock two = NameLock.take(folder, "two-" + i);
            assertNotNull(one);
            assertNotNull(two);
            assertNull(NameLock.take(folder, "one-" + i), "taken twice");
            one.release();
            NameLock again = NameLock.take(folder, "one-" + i);
            assertNotNull(again, "not free after its release");
            again.release();
            two.release();
        }
        try (var files = Files.list(folder)) {
            assertEquals(1, files.count());
        }
        assertEquals(0, Files.size(folder.resolve(NameLock.FILE)));
    }

    @Test
    void aLinkInPlaceOfTheLockFileIsNotFollowed() throws IOException {
        ShmDirectory.open(folder);
        Path target = Files.createFile(parent.resolve("target"));
        Files.createSymbolicLink(folder.resolve(NameLock.FILE), target);
        assertThrows(IOException.class, () -> NameLock.take(folder, "name"));
    }

    @Test
    void aSocketOfADeadProcessIsSweptAndThatOfALivingOneStays() throws IOException {
        ShmDirectory.open(folder);
        Path dead = Files.createFile(ShmDirectory.socket(folder, "dead"));
        Path living = Files.createFile(ShmDirectory.socket(folder, "living"));
        NameLock lock = NameLock.take(folder, "living");
        ShmDirectory.sweepSockets(folder);
        assertFalse(Files.exists(dead));
        assertTrue(Files.exists(living));
        lock.release();
    }

    @Test
    void aDeviceOfADeadProcessWithThisProcesssNumberIsSwept() throws IOException {
        ShmDirectory.open(folder);
        Path dead = Files.createDirectory(folder.resolve("d-" + ProcessHandle.current().pid() + "-ab"));
        Files.createFile(dead.resolve("lock"));
        Files.write(dead.resolve("0"), new byte[4096]);
        ShmDirectory.sweep(folder);
        assertFalse(Files.exists(dead), "left: " + dead);
    }

    @Test
    void memoryOfADeadOwnerIsReturnedWhenItsLastUserHasLeft() throws IOException {
        ShmDirectory.open(folder);
        Path dead = Files.createDirectory(folder.resolve("d-4194305-ab"));
        Files.createFile(dead.resolve("lock"));
        Files.write(dead.resolve("1"), new byte[1 << 20]);
        DeviceFolder first = DeviceFolder.use("attach", dead);
        DeviceFolder second = DeviceFolder.use("attach", dead);
        Slab slab = first.find(Slab.baseOf(1), 1 << 20);
        assertNotNull(slab);
        assertTrue(DeviceFolder.isDead(dead));
        first.release();
        assertFalse(DeviceFolder.sweep(dead), "swept from under a user");
        assertEquals(0, slab.window(slab.base()).get(1 << 19));
        second.release();
        assertFalse(Files.exists(dead), "left by the last user: " + dead);
    }
}
