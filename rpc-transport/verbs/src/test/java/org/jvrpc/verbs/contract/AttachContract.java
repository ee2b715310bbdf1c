package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;

/** Memory of one device that the process of another one attaches to. */
public abstract class AttachContract extends DeviceContract {

    AttachContract(DeviceUnderTest dut) {
        super(dut);
    }

    @Override
    void assumeNeeds() {
        assumeTrue(dut.attaches(), "the device attaches to no memory of other processes");
    }

    private MemoryRegion attach(MemoryRegion owned) {
        return rig.keep(rig.left.device.attach(owned.export()));
    }

    private void refused(byte[] exported, String... parts) {
        VerbsException e = assertThrows(VerbsException.class, () -> rig.left.device.attach(exported));
        for (String part : parts) {
            assertTrue(e.getMessage().contains(part), () -> part + " is not in: " + e.getMessage());
        }
    }

    @Test
    void bothSidesSeeWhatEitherWrites() {
        for (long length : new long[] {1, 100, 4097, 3 << 20}) {
            MemoryRegion owned = rig.right.memory(length);
            MemoryRegion attached = attach(owned);
            assertEquals(owned.address(), attached.address(), "addresses are the owner's");
            assertEquals(length, attached.length());
            assertEquals(owned.access(), attached.access());
            byte[] bytes = Pattern.bytes(7, (int) length);
            attached.buffer(0, (int) length).put(0, bytes);
            byte[] seen = new byte[(int) length];
            owned.buffer(0, (int) length).get(seen);
            assertArrayEquals(bytes, seen);
            owned.buffer(length - 1, 1).put(0, (byte) 99);
            assertEquals(99, attached.buffer(length - 1, 1).get(0));
        }
    }

    @Test
    void aVerbSeesWhatAnAttachedProcessWrote() {
        Pair pair = rig.pair();
        MemoryRegion owned = rig.right.memory(4096);
        MemoryRegion attached = attach(owned);
        byte[] data = Pattern.bytes(3, 512);
        attached.buffer(1024, 512).put(0, data);
        pair.left().post(SendRequest.read(
                1, attached.address() + 1024, owned.rkey(), pair.left().sge(0, 512)).signalled());
        pair.left().sentOk(1, WcOpcode.RDMA_READ);
        pair.left().assertBytes(data, 0);
    }

    @Test
    void aPartThatAnotherDomainSharesIsExportedAsThatPart() {
        assumeTrue(dut.shares(), "the device shares no regions between domains");
        MemoryRegion owned = rig.right.memory(4096);
        try (ProtectionDomain other = rig.right.device.allocatePd();
                MemoryRegion part = other.share(owned, 1000, 96, Access.REMOTE_READ)) {
            MemoryRegion attached = attach(part);
            assertEquals(owned.address() + 1000, attached.address());
            assertEquals(96, attached.length());
            attached.buffer(95, 1).put(0, (byte) 5);
            assertEquals(5, owned.buffer(1095, 1).get(0));
            assertThrows(IndexOutOfBoundsException.class, () -> attached.buffer(95, 2));
        }
    }

    @Test
    void whatIsAttachedCanBeExportedAgain() {
        MemoryRegion owned = rig.right.memory(64);
        MemoryRegion second = attach(attach(owned));
        owned.buffer(0, 8).putLong(0, 42);
        assertEquals(42, second.buffer(0, 8).getLong(0));
    }

    @Test
    void attachedMemoryIsBoundedAndHasNoKeys() {
        MemoryRegion attached = attach(rig.right.memory(1000));
        for (long offset : new long[] {-1, 1000, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40}) {
            assertThrows(IndexOutOfBoundsException.class, () -> attached.buffer(offset, 1), "offset=" + offset);
        }
        assertThrows(IndexOutOfBoundsException.class, () -> attached.buffer(0, 1001));
        assertEquals(0, attached.buffer(1000, 0).remaining());
        assertThrows(VerbsException.class, attached::lkey);
        assertThrows(VerbsException.class, attached::rkey);
        assertThrows(VerbsException.class, () -> rig.left.pd.share(attached, 0, 8, 0));
        assertThrows(VerbsException.class, () -> Sge.of(attached, 0, 8));
    }

    @Tag("slow")
    @Test
    void aViewOfAnAttachedRegionOfManyWindowsReachesItsEnd() {
        long length = (1L << 30) + 4096;
        MemoryRegion owned;
        try {
            owned = rig.right.memory(length);
        } catch (VerbsException e) {
            abort("this host has no room for bytes=" + length + ": " + e.getMessage());
            return;
        }
        MemoryRegion attached = attach(owned);
        attached.buffer(length - 8, 8).putLong(0, 77);
        assertEquals(77, owned.buffer(length - 8, 8).getLong(0));
    }

    @Test
    void closingTheAttachedSideLeavesTheOwnersMemoryAlone() {
        MemoryRegion owned = rig.right.memory(64);
        MemoryRegion attached = rig.left.device.attach(owned.export());
        attached.buffer(0, 8).putLong(0, 9);
        attached.close();
        attached.close();
        assertThrows(VerbsException.class, () -> attached.buffer(0, 8));
        assertEquals(9, owned.buffer(0, 8).getLong(0));
        assertEquals(9, attach(owned).buffer(0, 8).getLong(0));
    }

    @Test
    void memoryStaysForWhoAttachedWhenTheOwnerIsGone() {
        Device owner = dut.openDevice();
        MemoryRegion owned = owner.allocatePd().allocate(4096, Side.ALL);
        byte[] exported = owned.export();
        MemoryRegion attached = rig.keep(rig.left.device.attach(exported));
        attached.buffer(0, 8).putLong(0, 1234);
        owner.close();
        assertEquals(1234, attached.buffer(0, 8).getLong(0));
        refused(exported, "gone", owner.name());
    }

    @Test
    void aClosedRegionIsNeitherExportedNorAttachedTo() {
        MemoryRegion owned = rig.right.device.allocatePd().allocate(4 << 20, Side.ALL);
        byte[] exported = owned.export();
        owned.close();
        assertThrows(VerbsException.class, owned::export);
        refused(exported, "closed by its owner");
    }

    @Test
    void memoryThatPeersCannotReachIsNotExported() {
        MemoryRegion direct = rig.keep(rig.right.pd.register(ByteBuffer.allocateDirect(64), Access.LOCAL_WRITE));
        VerbsException e = assertThrows(VerbsException.class, direct::export);
        assertTrue(e.getMessage().contains("length=64"), e.getMessage());
    }

    @Test
    void closingTheDeviceClosesWhatItAttachedTo() {
        Device device = dut.openDevice();
        MemoryRegion attached = device.attach(rig.right.memory(64).export());
        device.close();
        assertThrows(VerbsException.class, () -> attached.buffer(0, 8));
        assertThrows(VerbsException.class, () -> device.attach(new byte[64]), "a closed device attaches to nothing");
    }

    @Tag("slow")
    @Test
    void garbageIsRefusedAndEveryChangedByteIsRefusedOrHarmless() {
        refused(new byte[0], "bytes=0");
        refused(new byte[4096], "bytes=4096");
        MemoryRegion owned = rig.right.memory(256);
        byte[] good = owned.export();
        assertTrue(good.length <= Device.MAX_PRIVATE_BYTES);
        Random random = new Random(Pattern.seed("everyChangedByteIsRefusedOrHarmless"));
        for (int round = 0; round < 2000; round++) {
            byte[] bad = good.clone();
            for (int change = random.nextInt(3); change >= 0; change--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            attachOrRefuse(bad);
            byte[] noise = new byte[random.nextInt(128)];
            random.nextBytes(noise);
            refused(noise, "attach");
            refused(Arrays.copyOf(good, random.nextInt(good.length)), "attach");
        }
    }

    /** What is not refused must be memory of the owner that there is: its first and last byte can be read. */
    private void attachOrRefuse(byte[] exported) {
        try (MemoryRegion region = rig.left.device.attach(exported)) {
            region.buffer(0, 1).get(0);
            region.buffer(region.length() - 1, 1).get(0);
        } catch (VerbsException e) {
            assertEquals("attach", e.operation());
        }
    }
}
