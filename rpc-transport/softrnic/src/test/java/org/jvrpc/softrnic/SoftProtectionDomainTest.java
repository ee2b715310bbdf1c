package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;

/** What a protection domain leaves of what was closed, and of what it refused. */
final class SoftProtectionDomainTest {

    /** More than shares a slab. */
    private static final int LARGE = 640 << 10;

    private final SoftDevice device = (SoftDevice) ShmUnderTest.open();
    private final SoftProtectionDomain pd = (SoftProtectionDomain) device.allocatePd();

    @AfterEach
    void close() {
        device.close();
    }

    private static void refused(String why, Executable what) {
        String message = assertThrows(VerbsException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }

    @Test
    void theKeyOfARegionIsDeadWhenItIsClosed() {
        MemoryRegion mr = pd.allocate(64, Access.LOCAL_WRITE);
        assertNotNull(device.regions().window(mr.lkey(), pd.number(), mr.address(), 64));
        mr.close();
        assertNull(device.regions().window(mr.lkey(), pd.number(), mr.address(), 64));
    }

    @Test
    void aSlabThatWasExportedIsDeletedWhenItsRegionIsClosed() {
        MemoryRegion mr = pd.allocate(LARGE, Access.LOCAL_WRITE);
        Path slab = device.folder().resolve(Integer.toString(Slab.segmentOf(mr.address())));
        mr.export();
        assertTrue(Files.exists(slab));
        mr.close();
        assertFalse(Files.exists(slab), "nobody will use it again");
    }

    @Test
    void memoryForWhichThereIsNoKeyIsFreeAgain() {
        refused("no free entry in the table of memory regions", () -> {
            for (int i = 0; i < 1 << 13; i++) {
                pd.allocate(1, 0);
            }
        });
        refused("no free entry", () -> pd.allocate(LARGE, 0));
        int slabs = device.arena().nextSegment();
        refused("no free entry", () -> pd.allocate(LARGE, 0));
        assertEquals(slabs, device.arena().nextSegment(), "the slab of the first was to be used again");
    }

    @Test
    void aClosedDomainTakesNothingForWhatItRefuses() {
        pd.close();
        int slabs = device.arena().nextSegment();
        refused("protection domain is closed", () -> pd.allocate(LARGE, 0));
        refused("protection domain is closed", () -> pd.register(ByteBuffer.allocateDirect(8), 0));
        assertEquals(slabs, device.arena().nextSegment());
    }

    @Test
    void theMemoryOfASharedReceiveQueueThatIsClosedIsFree() {
        SharedReceiveQueueAttributes attributes = new SharedReceiveQueueAttributes(4, 1);
        SharedReceiveQueue srq = pd.createSrq(attributes);
        long address = device.own(srq).address();
        srq.close();
        assertEquals(address, device.own(pd.createSrq(attributes)).address());
    }

    @Test
    void anAddressHandleThatCannotBeMadeLetsGoOfTheOtherDevice() throws IOException {
        String name = "d-1-abc"; // dead, and without memory
        Path dead = Files.createDirectory(device.folder().resolveSibling(name));
        Files.createFile(dead.resolve("lock"));
        byte[] endpoint = ByteBuffer.allocate(8 + name.length()).order(ByteOrder.LITTLE_ENDIAN).putLong(128)
                .put(name.getBytes(StandardCharsets.US_ASCII)).array();
        refused("", () -> pd.createAh(endpoint));
        assertFalse(Files.exists(dead), "whoever lets go last removes it");
    }
}
