package org.jvrpc.softrnic.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.WcStatus;

/** Data segments of WQEs, also across the end of the ring, and messages of the longest length. */
final class DataSegmentsTest {

    private static final int RING = 64;
    private static final int BLOCKS = 4;
    private static final int BYTES = BLOCKS * Wqe.BLOCK;
    private static final int PD = 3;
    private static final int KEY = 0x201;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(RING + BYTES + 64).order(ByteOrder.LITTLE_ENDIAN);
    private final Slab slab = Slab.wrap(ByteBuffer.allocateDirect(4096), 1);
    private int access;
    /** Opens a key without bounds: they are the table's, see RegionTableTest. */
    private final DataSegments data = new DataSegments(new QueueMemory(memory, RING, BLOCKS, Wqe.BLOCK, 0), PD,
            (lkey, pd, address, length, wanted) -> lkey == KEY && pd == PD && (wanted & ~access) == 0 ? slab : null);

    private void segment(int at, int length, int key, long address) {
        int place = RING + (at & BYTES - 1);
        BigEndian.putInt(memory, place, length);
        BigEndian.putInt(memory, place + 4, key);
        BigEndian.putLong(memory, place + 8, address);
    }

    private byte[] gathered() {
        byte[] bytes = new byte[(int) data.list().total()];
        ByteBuffer to = ByteBuffer.allocateDirect(bytes.length + 1);
        data.list().gather(to, 0);
        to.get(bytes);
        return bytes;
    }

    @Test
    void segmentsAreReadRoundTheEndOfTheRing() {
        slab.window(slab.base()).put(10, new byte[] {1, 2, 3, 4, 5});
        int at = BYTES - 32;
        segment(at + 16, 2, KEY, slab.base() + 10);
        segment(at + 32, 3, KEY, slab.base() + 12);
        assertEquals(WcStatus.SUCCESS, data.collect(at, 16, 3, 0));
        assertEquals("[1, 2, 3, 4, 5]", Arrays.toString(gathered()));
        assertEquals(WcStatus.SUCCESS, data.collect(at, 16, 2, 0));
        assertEquals(2, data.list().total(), "the one before is forgotten");
        assertEquals(WcStatus.SUCCESS, data.collect(at, 16, 1, 0));
        assertEquals(0, data.list().total());
    }

    @Test
    void aKeyOrRightThatIsNotThereIsAProtectionError() {
        segment(16, 8, KEY, slab.base());
        segment(32, 8, KEY + 1, slab.base());
        assertEquals(WcStatus.SUCCESS, data.collect(0, 16, 2, 0));
        assertEquals(WcStatus.LOC_PROT_ERR, data.collect(0, 16, 3, 0));
        assertEquals(WcStatus.LOC_PROT_ERR, data.collect(0, 16, 2, 1));
        access = 1;
        assertEquals(WcStatus.SUCCESS, data.collect(0, 16, 2, 1));
    }

    @Test
    void aMessageHasAGibibyteAtMost() {
        segment(16, 1 << 30, KEY, slab.base());
        assertEquals(WcStatus.SUCCESS, data.collect(0, 16, 2, 0));
        assertEquals(1L << 30, data.list().total());
        segment(16, (1 << 30) + 1, KEY, slab.base());
        assertEquals(WcStatus.LOC_LEN_ERR, data.collect(0, 16, 2, 0));
        segment(16, 0, KEY, slab.base());
        assertEquals(WcStatus.LOC_LEN_ERR, data.collect(0, 16, 2, 0), "0 stands for 2 GiB");
        segment(16, (1 << 30) - 8, KEY, slab.base());
        segment(32, 8, KEY, slab.base());
        assertEquals(WcStatus.SUCCESS, data.collect(0, 16, 3, 0));
        segment(32, 9, KEY, slab.base());
        assertEquals(WcStatus.LOC_LEN_ERR, data.collect(0, 16, 3, 0));
    }

    private void inline(int at, int length) {
        BigEndian.putInt(memory, RING + (at & BYTES - 1), length | Wqe.INLINE);
        for (int i = 0; i < length; i++) {
            memory.put(RING + (at + 4 + i & BYTES - 1), (byte) (i + 1));
        }
    }

    @Test
    void inlineBytesAreReadRoundTheEndOfTheRing() {
        for (int at = BYTES - 64; at < BYTES; at += 16) {
            for (int length = 0; length <= 44; length++) {
                inline(at + 16, length);
                assertEquals(WcStatus.SUCCESS, data.collect(at, 16, 4, 0), "at=" + at + " length=" + length);
                byte[] found = gathered();
                assertEquals(length, found.length);
                for (int i = 0; i < length; i++) {
                    assertEquals(i + 1, found[i], "at=" + at + " length=" + length + " byte " + i);
                }
            }
        }
    }

    @Test
    void inlineBytesEndWithTheirWqe() {
        inline(16, 12);
        assertEquals(WcStatus.SUCCESS, data.collect(0, 16, 2, 0));
        inline(16, 13);
        assertEquals(WcStatus.LOC_QP_OP_ERR, data.collect(0, 16, 2, 0));
        inline(16, 8);
        assertEquals(WcStatus.LOC_QP_OP_ERR, data.collect(0, 16, 2, 1), "nothing can be written there");
    }
}
