package org.jvrpc.router.tenant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.Quota;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.SlabNote;
import org.jvrpc.testing.Processes;
import org.jvrpc.testing.Waits;

/** Files that a tenant calls its slabs. */
class SlabsTest {

    private static final int BYTES = 8192;

    @TempDir
    private Path folder;
    private Ground ground;
    private Path files;
    private Device device;

    @BeforeEach
    void prepare() throws IOException {
        ground = new Ground(folder);
        ground.tenants.listen(Ground.RED).close();
        files = ground.device(Ground.DEVICE);
        device = ground.admit();
    }

    @AfterEach
    void end() {
        ground.close();
    }

    private static SlabNote note(int segment, long length, int file) {
        return new SlabNote(segment, length, Ground.DEVICE, file);
    }

    private long has(QuotaKind kind) {
        return ground.tenants.quotas(Ground.RED).has(kind);
    }

    private void refused(SlabNote note, String why) {
        String said = AdmissionTest.refused(Refusal.FOLDER, () -> Ground.get(device.open(note)));
        assertTrue(said.contains(why), said);
        assertEquals(0, has(QuotaKind.BYTES));
        assertEquals(0, has(QuotaKind.SLABS));
    }

    @Test
    void whatIsMappedIsTheTenantsMemory() throws IOException {
        Path file = Ground.slab(files, 1, 2 * BYTES);
        Slab slab = Ground.get(device.open(note(1, BYTES, 1)));
        assertEquals(Slab.baseOf(1), slab.base());
        assertEquals(BYTES, slab.length());
        slab.window(slab.base()).put(7, (byte) 42);
        assertEquals(42, Files.readAllBytes(file)[7]);
        assertEquals(BYTES, has(QuotaKind.BYTES));
        AdmissionTest.refused(Refusal.BAD_FRAME, () -> Ground.get(device.open(note(1, BYTES, 1))));
        assertEquals(1, has(QuotaKind.SLABS));
    }

    @Test
    void aSlabOfAnotherDeviceOfTheSameTenantIsMapped() throws IOException {
        Ground.slab(ground.device("d-2-b"), 3, BYTES);
        assertEquals(BYTES, Ground.get(device.open(new SlabNote(9, BYTES, "d-2-b", 3))).length());
        AdmissionTest.refused(Refusal.FOLDER,
                () -> Ground.get(device.open(new SlabNote(10, BYTES, "../red/d-2-b", 3))));
        assertEquals(1, has(QuotaKind.SLABS));
    }

    @Test
    void noLinkIsFollowedAndNoFileWithASecondNameTaken() throws IOException {
        Path other = Files.write(folder.resolve("other"), new byte[BYTES]);
        Files.createSymbolicLink(files.resolve("1"), other);
        refused(note(1, BYTES, 1), "is a file=false");
        Files.createLink(files.resolve("2"), other);
        refused(note(1, BYTES, 2), "links=2");
        Files.createDirectory(files.resolve("3"));
        refused(note(1, BYTES, 3), "is a file=false");
        refused(note(1, BYTES, 4), "NoSuchFile");
    }

    @Test
    void aFileOfAnotherUsersIsNotTaken() throws IOException {
        assumeTrue(Ground.user() == 0, "only root can give a folder away");
        Path file = Ground.slab(files, 1, BYTES);
        Files.setAttribute(file, "unix:uid", 70001);
        refused(note(1, BYTES, 1), "owner uid=70001");
    }

    @Test
    void aFileThatIsShorterThanSaidIsNotMapped() throws IOException {
        Ground.slab(files, 1, BYTES - 1);
        refused(note(1, BYTES, 1), "bytes=8191, said were bytes=8192");
    }

    @Test
    void aFileWithALengthAndNoMemoryIsNotMapped() throws IOException {
        ground.record(new Quota(2, 4, 4, 4, Long.MAX_VALUE, 4, 4, 0, 0, 0, 10), false);
        ground.tenants.changed(ground.red);
        long more = files.toFile().getTotalSpace() * 2;
        try (RandomAccessFile file = new RandomAccessFile(files.resolve("1").toFile(), "rw")) {
            file.setLength(more);
        } catch (IOException e) {
            abort("this file system has no files so long: " + e);
        }
        refused(note(1, more, 1), "is sparse");
    }

    @Test
    void whatWasGivenUpIsLookedAtBeforeAFileIsCalledSparse() throws IOException {
        device.leave();
        ground.tenants.remove(Ground.RED);
        assumeTrue(Processes.run("mount", "-t", "tmpfs", "-o", "size=1m,mode=0770,uid=" + Ground.user() + ",gid="
                + Files.getAttribute(ground.home(), "unix:gid"), "tmpfs", ground.home().toString()) == 0,
                "mounting a tmpfs is not permitted here");
        try {
            ground.tenants.listen(Ground.RED).close();
            Path again = ground.device(Ground.DEVICE);
            FileLock alive = ground.hold(again);
            Path last = Ground.slab(again, 1, BYTES);
            device = ground.admit();
            Ground.get(device.open(note(1, BYTES, 1)));
            device.leave();
            device = ground.admit(); // whose lock is opened behind a look at what was given up
            assertEquals(BYTES, has(QuotaKind.BYTES));
            cut(last, 0); // returned, and nobody has looked since
            Ground.slab(again, 2, BYTES);
            assertEquals(BYTES, Ground.get(device.open(note(1, BYTES, 2))).length());
            assertEquals(BYTES, has(QuotaKind.BYTES));
            sparse(again, 3);
            assertEquals(BYTES, has(QuotaKind.BYTES));
            alive.release();
        } finally {
            ground.close();
            assertEquals(0, Processes.run("umount", "-l", ground.home().toString()));
        }
    }

    /** A file without memory is sparse whatever was given up. */
    private void sparse(Path folder, int file) throws IOException {
        try (RandomAccessFile empty = new RandomAccessFile(folder.resolve(Integer.toString(file)).toFile(), "rw")) {
            empty.setLength(BYTES);
        }
        String said = AdmissionTest.refused(Refusal.FOLDER, () -> Ground.get(device.open(note(2, BYTES, file))));
        assertTrue(said.contains("is sparse: bytes used in its file system=8192, slabs are bytes=16384"), said);
    }

    @Test
    void theQuotaIsTakenBeforeTheFileIsTouched() {
        String why = AdmissionTest.refused(Refusal.QUOTA, () -> Ground.get(device.open(note(1, (1 << 20) + 1, 99))));
        assertTrue(why.contains("quota=BYTES has=0 wants=1048577 limit=1048576"), why);
        assertEquals(0, has(QuotaKind.SLABS));
    }

    @Test
    void bytesAreTheTenantsAgainWhenTheirMemoryIsGone() throws IOException {
        Path file = Ground.slab(files, 1, 1 << 20);
        Ground.slab(files, 2, 1 << 20);
        Ground.get(device.open(note(1, 1 << 20, 1)));
        device.drop(1);
        assertEquals(1 << 20, has(QuotaKind.BYTES));
        AdmissionTest.refused(Refusal.QUOTA, () -> Ground.get(device.open(note(2, 1 << 20, 2))));
        cut(file, 0);
        Ground.get(device.open(note(2, 1 << 20, 2)));
        assertEquals(1 << 20, has(QuotaKind.BYTES));
    }

    private static void cut(Path file, long length) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
        }
    }

    @Test
    void memoryOfADeadDeviceIsReturnedAndOfALivingOneIsNot() throws IOException {
        Path file = Ground.slab(files, 1, BYTES);
        FileLock alive = ground.hold(files);
        Ground.get(device.open(note(1, BYTES, 1)));
        device.leave();
        ground.tenants.reclaim();
        ground.admit().leave(); // whose lock is opened behind that
        assertEquals(BYTES, Files.size(file));
        assertEquals(BYTES, has(QuotaKind.BYTES));
        alive.release(); // its process has died
        ground.tenants.reclaim();
        Waits.until("the memory to be returned", () -> has(QuotaKind.BYTES) == 0 && has(QuotaKind.SLABS) == 0);
        assertEquals(0, Files.size(file));
    }

    @Test
    void whoDropsOrLeavesWaitsForNoFile() throws Exception {
        Path dropped = Ground.slab(files, 1, BYTES);
        Ground.slab(files, 2, BYTES);
        Ground.get(device.open(note(1, BYTES, 1)));
        Ground.get(device.open(note(2, BYTES, 2)));
        CountDownLatch slow = new CountDownLatch(1);
        ground.tenants.slowly(Ground.RED).behind(() -> awaits(slow));
        device.drop(1);
        cut(dropped, 0);
        ground.tenants.reclaim();
        device.leave();
        assertEquals(2 * BYTES, has(QuotaKind.BYTES), "nobody has looked");
        slow.countDown();
        Waits.until("the memory to be returned", () -> has(QuotaKind.BYTES) == 0);
    }

    private static void awaits(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void allThatADeviceTookIsGivenBackOnce() {
        device.take(QuotaKind.QPS, 3);
        device.take(QuotaKind.CONNECTIONS, 2);
        device.give(QuotaKind.QPS, 1);
        AdmissionTest.refused(Refusal.QUOTA, () -> device.take(QuotaKind.QPS, 3));
        assertThrows(IllegalStateException.class, () -> device.give(QuotaKind.QPS, 3));
        device.leave();
        device.leave();
        for (QuotaKind kind : QuotaKind.values()) {
            assertEquals(0, has(kind), kind.name());
        }
        AdmissionTest.refused(Refusal.BAD_FRAME, () -> Ground.get(device.open(note(1, BYTES, 1))));
    }

    @Test
    void aFileThatIsCutIsSeenWhateverItsName() throws IOException {
        Path file = Ground.slab(files, 1, BYTES);
        Slab slab = Ground.get(device.open(note(1, BYTES, 1)));
        Files.move(file, files.resolve("other"));
        Ground.slab(files, 1, BYTES);
        assertTrue(ground.tenants.isWhole(slab));
        cut(files.resolve("other"), BYTES - 1);
        assertFalse(ground.tenants.isWhole(slab));
        device.drop(1);
        assertTrue(ground.tenants.isWhole(slab)); // nobody's any more
    }

    @Test
    void aFileThatIsExchangedAfterItWasLookedAtIsNotOpened() throws IOException {
        Path good = Ground.slab(files, 1, BYTES);
        Path other = Files.write(folder.resolve("other"), new byte[BYTES]);
        try (TenantFolder home = TenantFolders.open(ground.parent).open(ground.red);
                DeviceFiles opened = home.device(Ground.DEVICE)) {
            Descriptors.Facts looked = opened.look("1");
            Waits.until("its descriptor to be told", () -> opens(opened, looked)); // others' threads may close some
            Files.delete(good);
            Files.createLink(good, other);
            assertNull(opened.open("1", looked));
        }
    }

    private static boolean opens(DeviceFiles files, Descriptors.Facts looked) {
        try (FileChannel channel = files.open("1", looked)) {
            return channel != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A link to another's file is put in the place of a good one and taken away again, all the time. */
    @Test
    void whoSwapsLinksWhileAFileIsOpenedGetsNothingElseMapped() throws Exception {
        Path good = Ground.slab(files, 1, BYTES);
        Path spare = Files.move(good, files.resolve("spare"));
        Path other = Files.write(folder.resolve("other"), new byte[BYTES]);
        Path link = Files.createLink(files.resolve("link"), other);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicReference<Exception> failure = new AtomicReference<>();
        Thread swapper = new Thread(() -> {
            try {
                while (!ended.get()) {
                    Files.move(spare, good, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(good, spare, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(link, good, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(good, link, StandardCopyOption.ATOMIC_MOVE);
                }
            } catch (IOException e) {
                failure.set(e);
            }
        });
        swapper.start();
        try {
            int mapped = 0;
            for (int i = 0; i < 300; i++) {
                try {
                    Slab slab = Ground.get(device.open(note(1, BYTES, 1)));
                    slab.window(slab.base()).put(0, (byte) 1);
                    device.drop(1);
                    mapped++;
                    if (mapped % 100 == 0) {
                        reclaim();
                    }
                } catch (RefusedException e) {
                    assertTrue(e.refusal() == Refusal.FOLDER, e.getMessage());
                }
            }
        } finally {
            ended.set(true);
            swapper.join();
        }
        assertNull(failure.get());
        assertEquals(0, Files.readAllBytes(other)[0]);
    }

    private void reclaim() {
        device.leave();
        ground.tenants.reclaim();
        try {
            device = ground.admit();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aFileThatOpensSlowlyMakesItsTenantWaitAndNobodyElse() throws Exception {
        CountDownLatch lease = new CountDownLatch(1);
        CountDownLatch late = new CountDownLatch(1);
        try (Slowly slowly = new Slowly(Ground.RED, 100)) {
            AdmissionTest.refused(Refusal.BUSY, () -> Ground.get(slowly.run("slab", () -> {
                lease.await();
                return "opened";
            }, opened -> late.countDown())));
            AdmissionTest.refused(Refusal.BUSY, () -> Ground.get(slowly.run("slab", () -> "another",
                    opened -> { })));
            lease.countDown();
            late.await();
            Waits.until("the late work to be done", () -> !slowly.isWaiting());
            // its penalty
            AdmissionTest.refused(Refusal.BUSY, () -> Ground.get(slowly.run("slab", () -> "another",
                    opened -> { })));
        }
        try (Slowly other = new Slowly(Ground.RED, 60_000)) {
            assertEquals("x", Ground.get(other.run("slab", () -> "x", opened -> { })));
        }
    }
}
