package org.jvrpc.offload.build;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.ChainRig;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.verbs.MemoryRegion;

/** What queues and memory of no device are like. */
final class SketchTest {

    private final Sketch sketch = new Sketch();

    @Test
    void theCodeOfAQueueIsAsLongAsItsRing() {
        ChainQueue queue = sketch.managed("W", 4);
        assertEquals(4 * Wqe.BLOCK, queue.code().length());
        assertEquals(4 * Wqe.BLOCK, queue.code().buffer(0, 4 * Wqe.BLOCK).remaining());
    }

    @Test
    void memoryIsThatOfARegionWithAllRights() {
        MemoryRegion memory = sketch.memory(64);
        assertEquals(ChainRig.ALL, memory.access());
        memory.buffer(8, 8).putLong(0, 1);
        ByteBuffer read = memory.buffer(0, 16);
        assertEquals(ByteOrder.LITTLE_ENDIAN, read.order());
        assertEquals(1, read.getLong(8));
    }
}
