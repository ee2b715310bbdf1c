package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.contract.Pattern;

/** How memory is given out again, and from when on. */
class ArenaTest {

    private static final int ROUNDS = 3000;
    private static final int SMALL_BYTES = 8000;

    private static long bytesOfSlabs(SoftDevice device) {
        try (var files = Files.list(device.folder())) {
            return files.mapToLong(ArenaTest::size).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aSmallPieceThatStaysDoesNotKeepWhatCameAndWentBesideIt() {
        try (SoftDevice device = (SoftDevice) ShmUnderTest.open(); ProtectionDomain pd = device.allocatePd()) {
            Deque<MemoryRegion> staying = new ArrayDeque<>();
            Deque<MemoryRegion> passing = new ArrayDeque<>();
            for (int i = 0; i < ROUNDS; i++) {
                passing.add(pd.allocate(SMALL_BYTES, Access.LOCAL_WRITE));
                if (i % 100 == 0) {
                    staying.add(pd.allocate(100, Access.LOCAL_WRITE));
                }
                if (passing.size() > 20) {
                    passing.remove().close();
                }
            }
            long bytes = bytesOfSlabs(device);
            System.out.println("bytes of slabs after " + ROUNDS + " pieces: " + bytes);
            assertTrue(bytes <= 3L << 20,
                    "21 passing pieces and " + staying.size() + " small ones keep bytes=" + bytes);
            staying.forEach(MemoryRegion::close);
            passing.forEach(MemoryRegion::close);
        }
    }

    @Tag("slow")
    @Test
    void piecesNeverOverlapAndAreZeroHoweverTheyComeAndGo() {
        long seed = Pattern.seed("piecesNeverOverlapAndAreZeroHoweverTheyComeAndGo");
        SplittableRandom random = new SplittableRandom(seed);
        try (SoftDevice device = (SoftDevice) ShmUnderTest.open(); ProtectionDomain pd = device.allocatePd()) {
            Deque<MemoryRegion> alive = new ArrayDeque<>();
            for (int i = 0; i < ROUNDS; i++) {
                int bytes = 8 * (1 + (random.nextInt(20) == 0 ? random.nextInt(100_000) : random.nextInt(2000)));
                MemoryRegion region = pd.allocate(bytes, Access.LOCAL_WRITE);
                var view = region.buffer(0, bytes);
                for (int at = 0; at < bytes; at += 8) {
                    assertEquals(0, view.getLong(at), "byte " + at + " of piece " + i);
                    view.putLong(at, region.address() + at);
                }
                alive.add(region);
                if (alive.size() > 30) {
                    MemoryRegion old = alive.remove();
                    var last = old.buffer(0, (int) old.length());
                    for (int at = 0; at < old.length(); at += 8) {
                        assertEquals(old.address() + at, last.getLong(at), "written by another piece");
                    }
                    old.close();
                }
            }
            alive.forEach(MemoryRegion::close);
        }
    }

    @Test
    void slabsBeyondWhatIsKeptAreReturnedAtOnce() {
        try (SoftDevice device = (SoftDevice) ShmUnderTest.open(); ProtectionDomain pd = device.allocatePd()) {
            for (int i = 0; i < 10; i++) {
                pd.allocate(3L << 20, Access.LOCAL_WRITE).close();
                pd.allocate((20L << 20) + i * 4096L, Access.LOCAL_WRITE).close();
            }
            long bytes = bytesOfSlabs(device);
            assertTrue(bytes <= Arena.KEPT_BYTES + (1L << 20), "bytes of slabs that nobody uses: " + bytes);
        }
    }

    /** Returns where the next regions of a size lie. */
    private static Set<Long> addresses(ProtectionDomain pd, int count, long bytes) {
        Set<Long> addresses = new HashSet<>();
        Deque<MemoryRegion> regions = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            MemoryRegion region = pd.allocate(bytes, Access.LOCAL_WRITE);
            regions.add(region);
            addresses.add(region.address());
        }
        regions.forEach(MemoryRegion::close);
        return addresses;
    }

    @Test
    void memoryThatAPeerMayStillWriteToIsNotUsedAgainBeforeThePeerHasClosed() {
        int bytes = 640 << 10;
        try (SoftDevice left = (SoftDevice) ShmUnderTest.open(); SoftDevice right = (SoftDevice) ShmUnderTest.open();
                ShmEnd peer = new ShmEnd(right, 4)) {
            long address;
            ProtectionDomain other = left.allocatePd();
            try (ShmEnd own = new ShmEnd(left, 4)) {
                own.qp.connect(peer.qp.endpoint());
                peer.qp.connect(own.qp.endpoint());
                MemoryRegion region = own.pd.allocate(bytes, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
                address = region.address();
                region.close();
                assertTrue(!addresses(other, 4, bytes).contains(address), "given out while the peer was connected");
            }
            assertTrue(!addresses(other, 4, bytes).contains(address), "given out while the peer was not closed");
            peer.qp.close();
            assertTrue(addresses(other, 8, bytes).contains(address), "not given out after the peer has closed");
            other.close();
        }
    }

    @Test
    void addressesOfRegionsThatAreAliveDiffer() {
        try (SoftDevice device = (SoftDevice) ShmUnderTest.open(); ProtectionDomain pd = device.allocatePd();
                MemoryRegion one = pd.allocate(100, 0)) {
            try (MemoryRegion two = pd.allocate(100, 0)) {
                assertNotEquals(one.address(), two.address());
            }
        }
    }
}
