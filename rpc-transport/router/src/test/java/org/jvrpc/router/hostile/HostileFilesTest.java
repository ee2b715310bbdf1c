package org.jvrpc.router.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.SlabNote;
import org.jvrpc.testing.Waits;

/** What a container does to its files and folders, before the router opens them and afterwards. */
final class HostileFilesTest extends HostileGround {

    private static final int FILE = 5;

    private static ControlFrame slab(RawTenant tenant, int segment, long bytes, String device, int file) {
        return new SlabNote(segment, bytes, device, file).frame(tenant.nextId());
    }

    private static Path file(RawTenant tenant) {
        return tenant.folder.resolve(Integer.toString(FILE));
    }

    private void refused(RawTenant tenant) {
        ControlFrame answer = tenant.ask(slab(tenant, FILE, 4096, tenant.name(), FILE));
        assertEquals(Command.REFUSED, answer.command());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 8, 4096, RawTenant.DATA, RawTenant.BYTES - 1})
    void whoCutsItsFileIsExpelledWhetherItIsTouchedOrNot(long left) {
        RawTenant hostile = attached(HOSTILE);
        RawTenant accomplice = attached(ACCOMPLICE);
        RawQp from = new RawQp(hostile, 0, 7);
        RawQp to = new RawQp(accomplice, 0, 7);
        RawQp.connect(from, to);
        to.receive(RawTenant.DATA_BYTES - 8192, 8192);
        accomplice.cut(RawTenant.SEGMENT, left);
        from.send(0, 8000);
        from.ring();
        accomplice.isLeft();
        neighbours.goOn();
    }

    /**
     * In the middle of copies, in pieces and not; the tenants come again as they are thrown out. Once in some hundred
     * laps a file is cut while the worker looks at its tenant's submit ring for the last time.
     */
    @Test
    void filesThatAreCutUnderLoadHarmTheirOwnersAlone() {
        for (int i = 0; i < 12; i++) {
            RawTenant hostile = attached(HOSTILE);
            RawTenant accomplice = attached(ACCOMPLICE);
            RawQp from = new RawQp(hostile, 0, 7);
            RawQp to = new RawQp(accomplice, 0, 7);
            RawQp.connect(from, to);
            for (int k = 0; k < 8; k++) {
                to.receive(0, RawTenant.DATA_BYTES);
                from.send(0, i % 2 == 0 ? 200 : 300_000);
            }
            from.ring();
            if (i % 3 != 0) {
                neighbours.call();
            }
            (i % 2 == 0 ? accomplice : hostile).cut(RawTenant.SEGMENT, i * 4096L);
            neighbours.call();
            from.tenant.close();
            to.tenant.close();
        }
        Waits.until("all but the neighbours to be gone", () -> devices() == 2, this::devices);
    }

    @Test
    void linksPipesFoldersAndSecondNamesAreNoSlabs() throws IOException {
        RawTenant hostile = attached(HOSTILE);
        Path secret = router.dir("one").resolve("token");
        Files.createSymbolicLink(file(hostile), secret);
        refused(hostile);
        Files.delete(file(hostile));
        Files.createLink(file(hostile), hostile.folder.resolve("1"));
        refused(hostile);
        Files.delete(file(hostile));
        Files.createDirectory(file(hostile));
        refused(hostile);
        Files.delete(file(hostile));
        refused(hostile);
        hostile.file(FILE, 4096);
        hostile.done(slab(hostile, FILE, 4096, hostile.name(), FILE));
    }

    @Test
    void aFileThatIsLongerThanItsMemoryIsNoSlab() throws IOException {
        RawTenant hostile = attached(HOSTILE);
        long used;
        try (FileChannel channel = FileChannel.open(file(hostile), StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), (1L << 40) - 1);
            used = channel.size();
        }
        ControlFrame answer = hostile.ask(slab(hostile, FILE, used, hostile.name(), FILE));
        assertEquals(Command.REFUSED, answer.command());
        assertEquals(Command.REFUSED, hostile.ask(slab(hostile, FILE, 200L << 20, "d-1-1", FILE)).command());
    }

    /** A name that is a link now and a file then never leads to another tenant's file. */
    @Test
    void foldersAndFilesThatAreSwappedWithoutEndLeadNowhereElse() throws Exception {
        RawTenant hostile = attached(HOSTILE);
        RawTenant victim = attached(ACCOMPLICE);
        victim.memory.putLong(RawTenant.DATA, 0x5ec2e7L);
        Path own = hostile.folder.resolve("own");
        Files.write(own, new byte[8192]);
        AtomicBoolean ends = new AtomicBoolean();
        Thread swaps = new Thread(() -> {
            try {
                Path link = hostile.folder.resolve("link");
                Path copy = hostile.folder.resolve("copy");
                while (!ends.get()) {
                    Files.deleteIfExists(link);
                    Files.createSymbolicLink(link, victim.folder.resolve("1"));
                    Files.move(link, file(hostile), StandardCopyOption.ATOMIC_MOVE);
                    Files.write(copy, new byte[8192]);
                    Files.move(copy, file(hostile), StandardCopyOption.ATOMIC_MOVE);
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        swaps.start();
        int opened = 0;
        try {
            for (int i = 0; i < 100; i++) {
                ControlFrame answer = hostile.ask(slab(hostile, 10 + i, 8192, hostile.name(), FILE));
                opened += answer.command() == Command.DONE ? 1 : 0;
            }
        } finally {
            ends.set(true);
            swaps.join();
        }
        assertEquals(0x5ec2e7L, victim.memory.getLong(RawTenant.DATA), "opened=" + opened);
        neighbours.goOn();
    }

    @Test
    void foldersOfOthersAreNotReachedByAnyName() {
        RawTenant victim = attached(ACCOMPLICE);
        RawTenant hostile = attached(HOSTILE);
        for (String name : new String[] {"..", ".", "", "../accomplice/" + victim.name(), victim.name(), "/tmp",
                hostile.name() + "/..", "d-1-1/../../one"}) {
            assertEquals(Command.REFUSED, hostile.ask(slab(hostile, FILE, 4096, name, 1)).command(), name);
        }
    }

    @Test
    void aLockThatIsHeldForEverHoldsNobodyUp() throws IOException {
        RawTenant hostile = stranger(HOSTILE);
        try (FileChannel channel = FileChannel.open(hostile.folder.resolve("lock"), StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assertTrue(lock.isValid());
            hostile.enter();
            hostile.close();
            Waits.until("it to be let go of", () -> devices() == 2, this::devices);
            newNeighboursAreLetIn();
        }
    }

    @Test
    void aFolderThatIsGoneOrAnothersEndsNobodyElse() throws IOException {
        RawTenant hostile = attached(HOSTILE);
        Path away = hostile.dir.resolve("d-1-2");
        Files.move(hostile.folder, away, StandardCopyOption.ATOMIC_MOVE);
        Files.createSymbolicLink(hostile.folder, router.dir("one"));
        try {
            hostile.done(slab(hostile, FILE, 4096, hostile.name(), 1)); // its folder is open: names count for nothing
            assertEquals(Command.REFUSED, hostile.ask(slab(hostile, FILE + 1, 4096, "d-1-2", 77)).command());
        } finally {
            Files.delete(hostile.folder);
        }
        neighbours.goOn();
    }
}
