package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.shm.folder.ExportedRegion;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/** Memory of another device for this side's CPU: what it is, what it has not, what is refused, and its end. */
class AttachedRegionTest {

    private static final int LENGTH = 4000;

    private final Device owner = ShmUnderTest.open();
    private final Device device = ShmUnderTest.open();
    private final MemoryRegion owned = owner.allocatePd().allocate(LENGTH, Access.LOCAL_WRITE | Access.REMOTE_READ);

    @AfterEach
    void close() {
        try {
            device.close();
        } finally {
            owner.close();
        }
    }

    private static void refused(String why, Executable what) {
        String message = assertThrows(VerbsException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }

    @Test
    void itIsTheOwnersMemoryWithoutKeys() {
        MemoryRegion attached = device.attach(owned.export());
        assertEquals(owned.address(), attached.address());
        assertEquals(LENGTH, attached.length());
        assertEquals(owned.access(), attached.access());
        assertArrayEquals(owned.export(), attached.export());
        attached.buffer(LENGTH - 1, 1).put(0, (byte) 5);
        assertEquals(5, owned.buffer(LENGTH - 1, 1).get(0));
        assertThrows(IndexOutOfBoundsException.class, () -> attached.buffer(LENGTH, 1));
        refused("has no keys here, they are its owner's: device=" + owner.name(), attached::lkey);
        refused("has no keys here", attached::rkey);
        assertEquals("attached memory of device=" + owner.name() + " address=0x"
                + Long.toHexString(owned.address()) + " length=4000", attached.toString());
    }

    @Test
    void closedItIsReachedNoMoreAndTheOwnersFolderGoesWithTheLastWhoUsesIt() {
        MemoryRegion first = device.attach(owned.export());
        MemoryRegion second = device.attach(owned.export());
        Path folder = SharedMemoryFolder.path().resolve(owner.name());
        owner.close();
        assertTrue(Files.exists(folder), "two use it");
        first.close();
        first.close();
        refused("attached memory is closed, device=" + owner.name(), () -> first.buffer(0, 1));
        assertTrue(Files.exists(folder), "one uses it");
        second.buffer(0, 1).put(0, (byte) 1);
        device.close();
        refused("attached memory is closed", () -> second.buffer(0, 1));
        assertFalse(Files.exists(folder), "nobody uses it");
    }

    private MemoryRegion closed() {
        MemoryRegion attached = device.attach(owned.export());
        attached.close();
        return attached;
    }

    @Test
    void onceClosedItIsForgotten() {
        WeakReference<MemoryRegion> closed = new WeakReference<>(closed());
        Waits.until("the collector to take it", () -> {
            System.gc();
            return closed.get() == null;
        });
    }

    /** Makes a folder as a dead device left it. */
    private Path dead(int bytes) throws IOException {
        Path folder = Files.createDirectory(SharedMemoryFolder.path().resolve("d-4194305-d0"));
        Files.createFile(folder.resolve("lock"));
        Files.write(folder.resolve("1"), new byte[bytes]);
        return folder;
    }

    @Test
    void memoryOfADeadOwnerIsNotAttachedAndSwept() throws IOException {
        Path folder = dead(4096);
        byte[] exported = new ExportedRegion("d-4194305-d0", Slab.baseOf(1), 4096, 0).encode();
        refused("the owner of the region is gone: device folder=" + folder, () -> device.attach(exported));
        assertFalse(Files.exists(folder));
    }

    @Test
    void aRegionThatTheOwnersMemoryHasNotIsRefusedAndNothingStaysInUse() {
        Path folder = SharedMemoryFolder.path().resolve(owner.name());
        byte[] noSlab = new ExportedRegion(owner.name(), Slab.baseOf(77), 1, 0).encode();
        refused("closed by its owner, or its slab cannot be mapped: file=" + folder.resolve("77"),
                () -> device.attach(noSlab));
        byte[] beyond = new ExportedRegion(owner.name(), owned.address(), 1L << 30, 0).encode();
        refused("the owner's memory ends before the region does: folder=" + folder, () -> device.attach(beyond));
        owner.close();
        assertFalse(Files.exists(folder), "nobody uses it");
    }
}
