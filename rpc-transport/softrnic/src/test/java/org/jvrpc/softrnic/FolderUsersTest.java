package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.shm.folder.ExportedRegion;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/** A device's folder that several processes are in: the last that leaves it returns its memory, and none before. */
class FolderUsersTest {

    private final SoftDevice device = (SoftDevice) ShmUnderTest.open();

    @AfterEach
    void close() {
        device.close();
    }

    /** Returns a region in the first slab of a device. */
    private static byte[] region(String name) {
        return new ExportedRegion(name, Slab.baseOf(0), 64, Access.LOCAL_WRITE).encode();
    }

    private static long descriptors(Path folder) throws IOException {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(descriptor -> isOf(folder, descriptor)).count();
        }
    }

    private static boolean isOf(Path folder, Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith(folder.toString());
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    @Test
    void whoComesAndGoesLeavesTheOwnerItsFolderAndWhoIsThereWhenTheOwnerDiesReturnsIt() throws IOException {
        try (ChildJvm child = PeerMain.start("target")) {
            String name = child.expect("DEVICE");
            child.expect("TARGET");
            Path folder = SharedMemoryFolder.path().resolve(name);
            device.attach(region(name)).close();
            assertTrue(Files.exists(folder), "its owner lives");
            assertEquals(0, descriptors(folder), "this process has left");
            MemoryRegion held = device.attach(region(name));
            child.kill();
            String why = assertThrows(VerbsException.class, () -> device.attach(region(name))).getMessage();
            assertTrue(why.contains("the owner of the region is gone"), why);
            assertTrue(Files.exists(folder), "this process has its memory");
            held.close();
            assertFalse(Files.exists(folder), "left by the last");
        }
    }

    @Test
    void aFolderThatWasFoundInUseIsRemovedByTheNextDeviceWhenItsProcessIsDead() {
        Path folder;
        try (ChildJvm child = PeerMain.start("target")) {
            folder = SharedMemoryFolder.path().resolve(child.expect("DEVICE"));
            for (int i = 0; i < 2; i++) {
                ShmUnderTest.open().close(); // the first lists the parent, the second knows this folder
            }
            assertTrue(Files.exists(folder), "its owner lives");
            child.kill();
        }
        ShmUnderTest.open().close();
        assertFalse(Files.exists(folder), "its owner is dead");
    }

    @Test
    void anOwnerThatLeavesDoesNotTakeTheMemoryFromAnotherProcess() throws IOException {
        SoftDevice owner = (SoftDevice) ShmUnderTest.open();
        ShmEnd end = new ShmEnd(owner, 4, null, owner.createChannel(), with -> with.datagram(ShmEnd.QKEY));
        end.qp.ready();
        try (ChildJvm child = PeerMain.start("datagrams", HexFormat.of().formatHex(end.qp.endpoint()),
                Integer.toString(end.qp.number()))) {
            child.expect("SENDING");
            owner.close();
            assertTrue(Files.exists(owner.folder()), "another process has its memory");
            assertEquals(0, descriptors(owner.folder()), "this process has left");
            child.kill();
        }
        ShmUnderTest.open().close();
        assertFalse(Files.exists(owner.folder()), "swept up");
    }

    @Test
    void whatThisProcessHasOfADeviceThatIsClosedIsNotSweptByAnother() {
        SoftDevice owner = (SoftDevice) ShmUnderTest.open();
        MemoryRegion held = device.attach(region(owner.name()));
        owner.close();
        try (ChildJvm child = PeerMain.start("device")) {
            child.expect("DEVICE"); // it has swept
            assertTrue(Files.exists(owner.folder()), "this process has its memory");
        }
        held.close();
        assertFalse(Files.exists(owner.folder()), "left by the last");
    }
}
