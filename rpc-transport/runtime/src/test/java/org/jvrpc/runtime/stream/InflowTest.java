package org.jvrpc.runtime.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.stream.memory.StreamMemory;

/** What comes of a stream, and the memory that it takes. */
class InflowTest {

    private final StreamMemory memory = new StreamMemory(1 << 24);
    private final ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    private final Inflow in = new Inflow(memory, 1 << 16, 8);

    private void consume(int elements) {
        for (int i = 0; i < elements; i++) {
            assertTrue(in.advance());
            in.take();
        }
    }

    @Test
    void aStreamThatIsReadToItsEndLeavesNoMemory() {
        for (int i = 0; i < 3; i++) {
            assertNull(in.append(bytes, 0, 24));
            consume(3);
        }
        in.end(null);
        assertTrue(!in.advance() && in.isAtEnd());
        in.release();
        assertEquals(0, memory.borrowed());
        in.close();
        in.release();
        assertEquals(0, memory.borrowed());
    }

    @Test
    void aStreamThatIsLeftInItsMidstLeavesNoMemory() {
        assertNull(in.append(bytes, 0, 24));
        consume(1);
        assertNull(in.append(bytes, 0, 24));
        in.end(new RpcException(Status.CANCELLED, "reader is closed"));
        in.close();
        assertEquals(0, memory.borrowed(), "its reader may never come back");
        consume(2); // what it is at stays as it is
        assertFalse(in.advance());
        in.release();
        assertEquals(0, memory.borrowed());
    }

    @Test
    void anElementThatIsCutByTheEndIsNoEnd() {
        for (int length = 0; length < 8; length++) {
            Inflow known = new Inflow(memory, 1 << 16, 8);
            assertNull(known.append(bytes, 0, 8 + length));
            known.end(null);
            assertEquals(length > 0, known.failure() != null, "length=" + length);
            Inflow later = new Inflow(memory, 1 << 16, -1);
            assertNull(later.append(bytes, 0, 8 + length));
            later.end(null);
            assertNull(later.fixed(8));
            assertEquals(length > 0, later.failure() != null, "length=" + length);
            if (length > 0) {
                assertEquals(Status.DATA_LOSS, assertInstanceOf(RpcException.class, later.failure()).status());
            }
        }
        Inflow any = new Inflow(memory, 1 << 16, 0);
        assertNull(any.append(bytes.putInt(0, 5), 0, 8));
        any.end(null);
        assertEquals(Status.DATA_LOSS, assertInstanceOf(RpcException.class, any.failure()).status());
    }

    @Test
    void aStreamThatFindsNoMemoryForACutElementLeavesNone() {
        StreamMemory little = new StreamMemory(1 << 12);
        Inflow cut = new Inflow(little, 1 << 16, 8);
        assertNull(cut.append(bytes, 0, 12));
        assertEquals(Status.RESOURCE_EXHAUSTED, assertThrows(RpcException.class, cut::advance).status());
        cut.close();
        cut.release();
        assertEquals(0, little.borrowed());
    }
}
