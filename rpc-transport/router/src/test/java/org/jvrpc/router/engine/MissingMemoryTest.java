package org.jvrpc.router.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.Backing;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.Spin;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** A tenant whose memory is gone, and its neighbour. */
final class MissingMemoryTest implements Backing {

    private static final int ROUNDS = 1000;
    private static final long NOW_NS = 1;

    @TempDir
    private Path folder;
    private FileChannel file;
    private Slab slab;
    /** What the tenant did is not to be seen by the length of its file, but by its file system. */
    private boolean fills;
    private final Worker worker = new Worker(new EqualShares(), Spin.ADAPTIVE, this, () -> NOW_NS);
    private final Party one = new Party(worker, "one", 1);

    @Override
    public boolean isWhole(Slab asked) {
        try {
            return fills || asked != slab || file.size() >= slab.length();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public boolean hasRoom(Slab asked) {
        return asked != slab;
    }

    private void rounds() {
        int count = 0;
        while (worker.round(NOW_NS)) {
            assertTrue(++count < ROUNDS, "the worker comes to no end");
        }
    }

    @AfterEach
    void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    /** Has a tenant's memory go once it has a receive, and its neighbour send. */
    private Party guilty() throws IOException {
        file = FileChannel.open(folder.resolve("1"), StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        file.write(ByteBuffer.allocate(1), Party.BYTES - 1);
        slab = Slab.of(file, Party.SEGMENT, Party.BYTES);
        Party guilty = new Party(worker, "guilty", 3, slab);
        Party.connect(worker, one, guilty);
        guilty.receive(0, 64);
        file.truncate(0);
        one.send(0, 50);
        one.ring();
        rounds();
        if (one.state() != QueuePairState.ERR) { // compiled code may be told behind the copy
            one.expectSent(WcStatus.SUCCESS);
            one.send(0, 50);
            one.ring();
            rounds();
        }
        return guilty;
    }

    @Test
    void whoCutsItsSlabIsExpelledAndItsNeighbourStays() throws IOException {
        Party cutter = guilty();
        assertNotNull(cutter.expelled);
        assertNull(one.expelled);
        WcStatus status = one.sent(); // or it found a receive of zeros before it was told
        assertTrue(Set.of(WcStatus.RETRY_EXC_ERR, WcStatus.REM_OP_ERR).contains(status), status.name());
        RefusedException e = assertThrows(RefusedException.class, () -> cutter.device.deregister(Party.KEY));
        assertEquals(Refusal.NOT_YOURS, e.refusal());
    }

    /** As compiled code tells of a ring of receives that is gone, each time that it is looked at. */
    @Test
    void errorsBetweenTwoWqesThatComeAgainAndAgainAreTheirQps() throws IOException {
        Party guilty = new Party(worker, "guilty", 3);
        Party.connect(worker, one, guilty);
        slab = guilty.slab;
        fills = true;
        TenantQp qp = one.device.qp(one.qpn);
        for (int i = 1; i < MissingMemory.MOST_IN_A_ROW; i++) {
            worker.missing().vanished(qp, new InternalError("as the test has it"), false);
            assertNull(guilty.expelled, "error=" + i);
        }
        worker.missing().vanished(qp, new InternalError("as the test has it"), false);
        assertNotNull(guilty.expelled);
        assertNull(one.expelled);
    }

    /** Else the error comes in the midst of a WQE of two that have nothing to do with it. */
    @Test
    void memoryOfWhoWasLookedAtForTheLastTimeIsAskedForBeforeAnothersTurn() {
        Party two = new Party(worker, "two", 2);
        Party silent = new Party(worker, "silent", 3);
        Party.connect(worker, one, two);
        Recent recent = new Recent();
        Hot hot = new Hot(recent);
        AtomicInteger asked = new AtomicInteger();
        MissingMemory missing = new MissingMemory(worker, recent, hot, this, asked::incrementAndGet);
        TenantQp qp = one.device.qp(one.qpn);
        missing.askBefore(qp);
        missing.askBefore(qp);
        assertEquals(1, asked.get(), "the same two");
        hot.serve(silent.device.qp(silent.qpn), NOW_NS, found -> { });
        missing.askBefore(qp);
        assertEquals(2, asked.get(), "it is looked at");
        hot.look(NOW_NS + 2 * Hot.SILENT_NS, found -> { });
        assertTrue(hot.isEmpty());
        missing.askBefore(qp);
        assertEquals(3, asked.get(), "it was looked at");
        assertEquals(List.of(silent.device), recent.cut(asks -> asks != silent.slab));
        missing.askBefore(qp);
        assertEquals(3, asked.get());
    }

    @Test
    void ofTwoWhoseFilesAreWholeTheOneWhoseFileSystemIsFullIsExpelled() throws IOException {
        fills = true;
        assertNotNull(guilty().expelled);
        assertNull(one.expelled);
    }
}
