package org.jvrpc.router.tenant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.softrnic.router.wire.SlabNote;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;
import org.jvrpc.testing.Waits;

/** How many files of a tenant the router maps, and what counts as mapped when it is given up. */
class KeepTest {

    /** Of {@link Ground#QUOTA}, which has room for so many. */
    private static final int MOST = 4;
    private static final int BYTES = (1 << 20) / MOST;
    /** However few bytes they have. */
    private static final int MOST_MAPPED = 1024;

    @TempDir
    private Path folder;
    private Ground ground;
    private Path files;
    private FileLock alive;
    private Device device;

    @BeforeEach
    void prepare() throws IOException {
        ground = new Ground(folder);
        ground.tenants.listen(Ground.RED).close();
        files = ground.device(Ground.DEVICE);
        alive = ground.hold(files);
        device = ground.admit();
        for (int i = 1; i <= MOST + 2; i++) {
            Ground.slab(files, i, BYTES);
        }
    }

    @AfterEach
    void end() {
        ground.close();
    }

    private void map(int segment) {
        map(segment, BYTES);
    }

    private void map(int segment, int bytes) {
        Ground.get(device.open(new SlabNote(segment, bytes, Ground.DEVICE, segment)));
    }

    private void mapAll() {
        for (int i = 1; i <= MOST; i++) {
            map(i);
        }
    }

    private void refused(int segment) {
        String why = AdmissionTest.refused(Refusal.QUOTA, () -> map(segment));
        assertTrue(why.contains("quota=BYTES has=1048576 wants=262144 limit=1048576"), why);
        assertEquals(MOST, slabs());
    }

    private long slabs() {
        return ground.tenants.quotas(Ground.RED).has(QuotaKind.SLABS);
    }

    private void cut(int segment) throws IOException {
        try (FileChannel channel = FileChannel.open(files.resolve(Integer.toString(segment)),
                StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    /** Has the router look at what was given up, and waits until so many are left. */
    private void untilLeft(int count) {
        ground.tenants.reclaim();
        Waits.until("slabs=" + count, () -> slabs() == count, () -> "slabs=" + slabs());
    }

    @Test
    void eachFileTakesADescriptorAndThereAreSoManyForATenant() throws IOException {
        for (int i = 1; i <= MOST_MAPPED + 1; i++) {
            Ground.slab(files, i, Long.BYTES);
        }
        for (int i = 1; i <= MOST_MAPPED; i++) {
            map(i, Long.BYTES);
        }
        String why = AdmissionTest.refused(Refusal.QUOTA, () -> map(MOST_MAPPED + 1, Long.BYTES));
        assertTrue(why.contains("quota=SLABS has=1024 wants=1 limit=1024"), why);
        device.drop(1);
        AdmissionTest.refused(Refusal.QUOTA, () -> map(MOST_MAPPED + 1, Long.BYTES));
        cut(1);
        map(MOST_MAPPED + 1, Long.BYTES);
    }

    @Test
    void nobodyHasMoreMappedThanTheQuotaHoweverManyAreDropped() throws IOException {
        mapAll();
        refused(5);
        for (int i = 1; i <= MOST; i++) {
            device.drop(i); // the tenant has them mapped all the same
            refused(5);
        }
        cut(3);
        map(5);
        refused(6);
    }

    @Test
    void eachIsGivenBackOnceAndTheOthersStay() throws IOException {
        mapAll();
        device.drop(1);
        device.drop(2);
        cut(2);
        untilLeft(MOST - 1);
        ground.tenants.reclaim();
        map(5);
        refused(6);
        cut(1);
        untilLeft(MOST - 1);
        assertEquals((MOST - 1) * (long) BYTES, ground.tenants.quotas(Ground.RED).has(QuotaKind.BYTES));
    }

    @Test
    void aDeviceThatComesAgainFindsTheQuotaAsItLeftIt() throws IOException {
        mapAll();
        device.leave();
        device = ground.admit();
        refused(5);
        cut(4);
        untilLeft(MOST - 1);
        map(5);
        assertTrue(Files.size(files.resolve("1")) > 0, "its process lives");
    }

    /** A device's process, as far as its lock goes. Usage: LOCK. */
    static final class Holder {

        private Holder() {
        }

        /** Runs the program, which has to be killed. */
        public static void main(String[] args) throws IOException, InterruptedException {
            try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
                FileLock lock = channel.lock(0, 1, false);
                Parent.say("holds " + lock.isValid());
                Parent.idle();
            }
        }
    }

    @Test
    void whatIsDroppedByAProcessThatDiesBeforeItReturnsTheMemoryIsEmptiedWhenItsDeviceHasLeft() throws IOException {
        alive.release();
        try (ChildJvm process = JavaCommand.of(Holder.class).arguments(files.resolve("lock").toString())
                .start()) {
            process.expect("holds true");
            mapAll();
            device.drop(1);
            device.drop(2);
            process.kill();
            ground.tenants.reclaim();
            refused(5); // behind that look: its session has not ended
            device.leave();
            Waits.until("the memory to be returned", () -> {
                ground.tenants.reclaim();
                return slabs() == 0;
            });
        }
        assertEquals(0, ground.tenants.quotas(Ground.RED).has(QuotaKind.BYTES));
        for (int i = 1; i <= MOST; i++) {
            assertEquals(0, Files.size(files.resolve(Integer.toString(i))));
        }
    }

    @Test
    void whatADeadProcessLeftIsEmptiedOnceAndNothingOfTheDeviceThatFollows() throws IOException {
        mapAll();
        device.leave();
        alive.release();
        Waits.until("the memory to be returned", () -> {
            ground.tenants.reclaim();
            return slabs() == 0;
        });
        for (int i = 1; i <= MOST; i++) {
            assertEquals(0, Files.size(files.resolve(Integer.toString(i))));
        }
        device = ground.admit();
        map(5);
        ground.tenants.reclaim();
        assertFalse(Files.size(files.resolve("5")) == 0, "it is in use");
        assertEquals(1, slabs());
    }
}
