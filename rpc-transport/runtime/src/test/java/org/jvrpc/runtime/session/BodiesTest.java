package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.contract.CallsService;

/** Messages that become longer than the memory they are written to. */
class BodiesTest {

    private static final int SLOT_BYTES = 64;
    private static final long LIMIT = 1000;

    private final HeapBodies bodies = new HeapBodies();
    private final WireWriter writer = new WireWriter();

    private void written(int bytes) {
        writer.reset(ByteBuffer.allocateDirect(SLOT_BYTES), 0, SLOT_BYTES, null, null);
        for (int i = 0; i < bytes; i++) {
            writer.writeByte((byte) i);
        }
    }

    private Body grow(int needed, Body old) {
        return bodies.grow(writer, needed, old, LIMIT, "planted is", null);
    }

    @Test
    void whatWasWrittenMovesAndThereIsRoomForTheRest() {
        written(60);
        Body first = grow(40, null);
        assertEquals(100, first.capacity());
        assertEquals(60, writer.length());
        for (int i = 0; i < 40; i++) {
            writer.writeByte((byte) (60 + i));
        }
        Body second = grow(1, first);
        assertEquals(200, second.capacity(), "twice what it was");
        assertEquals(1, bodies.out, "what it was moved from is given back");
        for (int i = 0; i < 100; i++) {
            assertEquals((byte) i, second.buffer().get(i));
        }
        assertEquals(100, writer.length());
        assertEquals(501, grow(401, second).capacity(), "more than twice, where more is needed");
    }

    @Test
    void memoryEndsAtTheLimit() {
        written(60);
        Body first = grow(540, null);
        assertEquals(600, first.capacity());
        Body second = grow(1, first);
        assertEquals(LIMIT, second.capacity(), "not twice, which would be more");
        assertEquals(LIMIT, grow(940, second).capacity(), "exactly the limit");
        RpcException e = assertThrows(RpcException.class, () -> grow(941, second));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
        assertEquals("planted is longer than the limit: bytes=1001 limit=1000", e.getMessage());
    }

    @Test
    void theRefusalNamesTheMethodWhereOneIsKnown() {
        MethodDescriptor method = new CallsService().methods().get(0);
        written(60);
        RpcException e = assertThrows(RpcException.class,
                () -> bodies.grow(writer, Integer.MAX_VALUE, null, LIMIT, "planted is", method));
        assertEquals("planted is longer than the limit: bytes=2147483707 limit=1000 method=" + method.fullName(),
                e.getMessage());
        assertEquals(0, bodies.out);
    }

    @Test
    void whereThereIsNoMemoryTheOldOneStays() {
        written(60);
        Body first = grow(40, null);
        bodies.refusal = new RpcException(Status.RESOURCE_EXHAUSTED, "planted");
        assertThrows(RpcException.class, () -> grow(100, first));
        assertEquals(1, bodies.out);
        assertEquals(60, writer.length());
    }
}
