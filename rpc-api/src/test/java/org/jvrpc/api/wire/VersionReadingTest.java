package org.jvrpc.api.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** What readers and writers know of peers of another version. */
class VersionReadingTest {

    private static final TimeUnit[] UNITS = TimeUnit.values();

    private final ByteBuffer memory = ByteBuffer.allocateDirect(8);
    private final WireReader in = new WireReader();
    private final WireWriter out = new WireWriter();

    private TimeUnit read(int ordinal) {
        out.reset(memory, 0, 8, null, null);
        out.writeShort((short) ordinal);
        in.reset(memory, 0, 2, null);
        return in.readEnum(UNITS, TimeUnit.DAYS);
    }

    @Test
    void anUnknownConstantStandsForThoseOfANewerPeer() {
        assertSame(TimeUnit.NANOSECONDS, read(0));
        assertSame(TimeUnit.HOURS, read(5));
        assertSame(TimeUnit.DAYS, read(UNITS.length));
        assertSame(TimeUnit.DAYS, read(0xffff));
    }

    /** A codec, which is asked for nothing but what travels. */
    private static class Plain implements ObjectCodec {

        @Override
        public void write(WireWriter writer, Object graph) {
            throw new AssertionError();
        }

        @Override
        public Object read(WireReader reader) {
            throw new AssertionError();
        }
    }

    @Test
    void allComponentsTravelUnlessTheCodecSaysOtherwise() {
        out.reset(memory, 0, 8, null, null);
        in.reset(memory, 0, 0, null);
        assertEquals(Integer.MAX_VALUE, out.fields(3));
        assertEquals(Integer.MAX_VALUE, in.fields(3));
        out.reset(memory, 0, 8, null, new Plain());
        in.reset(memory, 0, 0, new Plain());
        assertEquals(Integer.MAX_VALUE, out.fields(3));
        assertEquals(Integer.MAX_VALUE, in.fields(3));
        ObjectCodec older = new Plain() {
            @Override
            public int fields(int layout) {
                return 10 + layout;
            }
        };
        out.reset(memory, 0, 8, null, older);
        in.reset(memory, 0, 0, older);
        assertEquals(13, out.fields(3));
        assertEquals(12, in.fields(2));
    }

    @Test
    void bytesThatWereReadPayForHeap() {
        ByteBuffer bytes = ByteBuffer.allocate(8);
        for (int body = 0; body < 2; body++) {
            in.reset(bytes, 0, 8, null);
            in.readLong();
            for (int i = 0; i < 100_000; i++) {
                in.claimHeap(8 * 32, 8);
            }
            in.claimHeap((1 << 18) + 8 * 32, 8);
            assertThrows(RpcException.class, () -> in.claimHeap(8 * 32 + 1, 8));
        }
    }

    /** Whatever was claimed of the heap, counts and depths are what they were; a body begins anew. */
    @Test
    void heapThatBytesDoNotPayForIsClaimedBesideCountsAndDepths() {
        ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(0, 3);
        for (int body = 0; body < 2; body++) {
            in.reset(bytes, 0, 8, null);
            in.descend();
            for (int i = 0; i < 16_384; i++) {
                in.claimHeap(1 + i % 16, in.remaining());
            }
            assertEquals(3, in.readCount(1));
            RpcException e = assertThrows(RpcException.class, () -> in.claimHeap(17, in.remaining()));
            assertEquals(Status.RESOURCE_EXHAUSTED + ": records whose components did not travel take too much memory"
                    + " beyond what their bytes pay for: heap=262176 limit=262144 offset=4 length=8",
                    e.status() + ": " + e.getMessage());
            in.ascend();
            in.reset(bytes, 0, 8, null);
            assertEquals(3, in.readCount(1), "what was claimed is forgotten");
            in.claimHeap(16_384, in.remaining());
        }
    }
}
