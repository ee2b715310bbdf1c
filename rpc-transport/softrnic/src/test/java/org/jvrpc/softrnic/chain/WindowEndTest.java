package org.jvrpc.softrnic.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** Queues of which a part lies at the end of a window of a device's memory. */
final class WindowEndTest extends ChainFixture {

    private static final int END = (int) Slab.WINDOW;
    private static final int RING_BYTES = BLOCKS * Wqe.BLOCK;

    @TempDir
    private Path folder;
    private Slab large;
    private ByteBuffer window;

    /** Adds two windows; sparse, only what is touched takes memory. */
    @BeforeEach
    void addLargeSlab() throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(folder.resolve("large").toFile(), "rw")) {
            sparse.setLength(Slab.WINDOW + 4096);
            large = Slab.wrap(sparse.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, sparse.length()), 1);
        }
        space.slabs.add(large);
        window = large.window(large.base());
    }

    private void write(Queue queue, long ring, long qp) {
        QueueContext.write(memory, queue.context, queue.qpn, QueueContext.MANAGED, BLOCKS, ring, qp,
                address(queue.cq), 0);
    }

    @Test
    void aRingThatEndsWithItsWindowIsRun() {
        Queue queue = managed();
        for (int block = 0; block < BLOCKS; block++) {
            BigEndian.putLong(window, END - RING_BYTES + block * Wqe.BLOCK, queue.control(Wqe.NOP, block, 1));
        }
        write(queue, large.base() + END - RING_BYTES, address(queue.qp));
        queue.runTo(BLOCKS);
        assertEquals(BLOCKS, executed().size());
        assertEquals(QueuePairState.RTS, queue.state());
    }

    @Test
    void aRingThatCrossesTheEndOfItsWindowIsRefused() {
        Queue queue = managed();
        long ring = large.base() + END - RING_BYTES + Wqe.BLOCK;
        write(queue, ring, address(queue.qp));
        String message = assertThrows(VerbsException.class, this::run).getMessage();
        assertTrue(message.contains("send ring crosses a window: address=0x" + Long.toHexString(ring)), message);
        assertEquals(List.of(), executed());
    }

    @Test
    void aQueueOrCompletionQueueThatCrossesTheEndOfItsWindowIsRefused() {
        long address = large.base() + END - 128;
        String at = " crosses a window: address=0x" + Long.toHexString(address);
        String queue = assertThrows(VerbsException.class, () -> new CrossChannelQueue(group, address)).getMessage();
        assertTrue(queue.contains("queue" + at), queue);
        String cq = assertThrows(VerbsException.class, () -> new ChainCq(space, address)).getMessage();
        assertTrue(cq.contains("completion queue" + at), cq);
    }

    @Test
    void aQueuePairThatEndsWithItsWindowFailsWhenItsGroupIsCutOff() {
        Queue queue = managed();
        int qp = END - QpContext.BYTES;
        QpContext.write(window, qp, queue.qpn, PD, 1, 16, address(queue.cq));
        QpContext.advance(window, qp, QueuePairState.RESET, QueuePairState.RTS);
        write(queue, address(queue.ring()), large.base() + qp);
        group.cutOff();
        assertEquals(QueuePairState.ERR, QpContext.state(window, qp));
    }
}
