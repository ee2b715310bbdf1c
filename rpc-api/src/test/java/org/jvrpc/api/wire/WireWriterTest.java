package org.jvrpc.api.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

class WireWriterTest {

    private static RpcException assertStatus(Status status, Runnable action) {
        RpcException e = assertThrows(RpcException.class, action::run);
        assertEquals(status, e.status(), e::getMessage);
        return e;
    }

    @Test
    void aBodyThatDoesNotFitIsRefusedWithItsNumbers() {
        Memory memory = new Memory(10);
        memory.out.writeLong(1);
        RpcException e = assertStatus(Status.RESOURCE_EXHAUSTED, () -> memory.out.writeInt(1));
        assertEquals("body does not fit: written=8 needed=4 capacity=10", e.getMessage());
        memory.out.writeShort((short) 1);
        assertEquals(10, memory.out.length());
        assertTrue(memory.isIntactAround());
    }

    @Test
    void nothingIsWrittenOutsideWhateverIsTooLong() {
        List<Consumer<WireWriter>> writes = List.of(
                out -> out.writeString("12345678"), out -> out.writeString("1234€"),
                out -> out.writeBytes(new byte[8]), out -> out.writeBooleans(new boolean[8]),
                out -> out.writeShorts(new short[4]), out -> out.writeChars(new char[4]),
                out -> out.writeInts(new int[2]), out -> out.writeLongs(new long[1]),
                out -> out.writeFloats(new float[2]), out -> out.writeDoubles(new double[1]),
                out -> out.writeBuffer(ByteBuffer.allocate(8)), out -> out.reserve(8));
        for (Consumer<WireWriter> write : writes) {
            Memory memory = new Memory(11);
            assertStatus(Status.RESOURCE_EXHAUSTED, () -> write.accept(memory.out));
            assertTrue(memory.isIntactAround());
            Memory fitting = new Memory(14);
            write.accept(fitting.out);
            assertTrue(fitting.isIntactAround());
        }
    }

    @Test
    void aSpillTakesAlongWhatWasWritten() {
        Random random = new Random(1);
        WireWriter out = new WireWriter();
        int[] spills = new int[1];
        out.reset(ByteBuffer.allocateDirect(8), 3, 8, (writer, needed) -> {
            spills[0]++;
            int size = writer.length() + needed;
            writer.moveTo(ByteBuffer.allocateDirect(size + 7), 5, 5 + size);
        }, null);
        List<Object> written = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String text = "text " + random.nextInt() + (i % 2 == 0 ? "" : "€");
            written.add(text);
            out.writeString(text);
            out.writeLong(i);
        }
        assertTrue(spills[0] > 100);
        WireReader in = new WireReader();
        in.reset(out.buffer(), out.start(), out.length(), null);
        for (int i = 0; i < 200; i++) {
            assertEquals(written.get(i), in.readString());
            assertEquals(i, in.readLong());
        }
        assertEquals(0, in.remaining());
    }

    @Test
    void rewindForgetsEverything() {
        Memory memory = new Memory(32);
        memory.out.writeLong(-1);
        memory.out.descend();
        memory.out.rewind();
        assertEquals(0, memory.out.length());
        memory.out.writeByte((byte) 7);
        assertEquals("07", memory.hex());
    }

    @Test
    void whatIsPutIntoAReservedViewIsAnArray() {
        Memory memory = new Memory(64);
        memory.out.writeByte((byte) 1);
        ByteBuffer view = memory.out.reserve(10);
        assertEquals(10, view.remaining());
        view.put(new byte[] {7, 8, 9});
        memory.out.commit(view);
        memory.out.writeByte((byte) 2);
        assertEquals("0103000000070809" + "02", memory.hex());
        assertTrue(memory.isIntactAround());
    }

    @Test
    void aReservedViewIsUsedAgainAndStartsBigEndian() {
        Memory memory = new Memory(64);
        ByteBuffer view = memory.out.reserve(4);
        view.order(ByteOrder.LITTLE_ENDIAN).putInt(1);
        memory.out.commit(view);
        memory.out.rewind();
        ByteBuffer again = memory.out.reserve(4);
        assertSame(view, again);
        assertEquals(ByteOrder.BIG_ENDIAN, again.order());
    }

    @Test
    void aReservedViewIsItsRoomAloneWhateverItsBoundsAreMovedTo() {
        Memory memory = new Memory(64);
        memory.out.writeLong(-1);
        ByteBuffer view = memory.out.reserve(4);
        assertEquals("0 4 4", view.position() + " " + view.limit() + " " + view.capacity());
        view.putInt(0x01020304).clear();
        assertThrows(IllegalArgumentException.class, () -> view.limit(5));
        assertEquals(0x01020304, view.getInt());
        memory.out.commit(view);
        assertEquals("ffffffffffffffff" + "04000000" + "01020304", memory.hex());
    }

    @Test
    void anotherBufferThanTheReservedOneIsRefused() {
        Memory memory = new Memory(64);
        ByteBuffer view = memory.out.reserve(4);
        assertStatus(Status.INTERNAL, () -> memory.out.commit(ByteBuffer.allocate(4)));
        memory.out.rewind();
        assertStatus(Status.INTERNAL, () -> memory.out.commit(view));
    }

    @Test
    void aResultAtTheVeryStartIsCommittedOnce() {
        WireWriter out = new WireWriter();
        ByteBuffer memory = ByteBuffer.allocateDirect(16);
        out.reset(memory, 0, 16, (writer, needed) -> {
            throw new AssertionError("needed=" + needed);
        }, null);
        ByteBuffer view = out.reserve(4);
        view.put((byte) 9);
        out.commit(view);
        assertEquals(5, out.length());
        assertStatus(Status.INTERNAL, () -> out.commit(view));
    }

    @Test
    void aNegativeRoomIsRefused() {
        assertStatus(Status.INVALID_ARGUMENT, () -> new Memory(8).out.reserve(-1));
    }

    @Test
    void anImpossibleRoomIsRefusedBeforeItIsAskedFor() {
        WireWriter out = new WireWriter();
        out.reset(ByteBuffer.allocate(8), 0, 8, (writer, needed) -> {
            throw new AssertionError("needed=" + needed);
        }, null);
        assertStatus(Status.RESOURCE_EXHAUSTED, () -> out.reserve(Integer.MAX_VALUE));
    }

    @Test
    void theLargestPossibleRoomIsAskedFor() {
        int room = Integer.MAX_VALUE >> 1;
        int[] asked = new int[1];
        WireWriter out = new WireWriter();
        out.reset(ByteBuffer.allocate(8), 0, 8, (writer, needed) -> {
            asked[0] = needed;
            throw new RpcException(Status.UNAVAILABLE, "no room");
        }, null);
        assertStatus(Status.UNAVAILABLE, () -> out.reserve(room));
        assertEquals(4 + room, asked[0]);
        assertStatus(Status.RESOURCE_EXHAUSTED, () -> out.reserve(room + 1));
    }

    @Test
    void noRoomAtAllIsAnEmptyArray() {
        Memory memory = new Memory(4);
        memory.out.commit(memory.out.reserve(0));
        assertEquals("00000000", memory.hex());
    }

    @Test
    void presenceIsReturnedAsItIsWritten() {
        Memory memory = new Memory(2);
        assertTrue(memory.out.writePresence(true));
        assertFalse(memory.out.writePresence(false));
        assertEquals("0100", memory.hex());
    }

    @Test
    void aWriterThatIsResetHasTheOtherMemorySpillAndCodec() {
        WireWriter out = new WireWriter();
        ByteBuffer first = ByteBuffer.allocate(1);
        ByteBuffer second = ByteBuffer.allocate(1);
        out.reset(first, 0, 1, null, null);
        out.reset(second, 0, 1, null, null);
        out.writeByte((byte) 2);
        assertEquals("0 2", first.get(0) + " " + second.get(0));
        out.reset(second, 0, 1, (writer, needed) -> {
            throw new RpcException(Status.UNAVAILABLE, "the spill");
        }, null);
        assertStatus(Status.UNAVAILABLE, () -> out.writeShort((short) 1));
        out.reset(second, 0, 1, null, new Numbers());
        out.writeObject(7);
        assertEquals(7, second.get(0));
    }

    /** Writes a number as one byte. */
    private static final class Numbers implements ObjectCodec {

        @Override
        public void write(WireWriter out, Object graph) {
            out.writeByte(((Integer) graph).byteValue());
        }

        @Override
        public Object read(WireReader in) {
            throw new AssertionError();
        }
    }

    @Test
    void nestingHasALimitAndEndsWithAscend() {
        Memory memory = new Memory(8);
        for (int i = 0; i < Layout.MAX_DEPTH; i++) {
            memory.out.descend();
        }
        memory.out.ascend();
        memory.out.descend();
        assertStatus(Status.INVALID_ARGUMENT, memory.out::descend);
    }

    @Test
    void anotherCodecIsTakenWithTheSameMemory() {
        List<String> writes = new ArrayList<>();
        ByteBuffer memory = ByteBuffer.allocate(64);
        WireWriter out = new WireWriter();
        for (String name : List.of("first", "second", "second", "third")) {
            out.reset(memory, 0, 64, null, codec(name, writes));
            out.writeObject(null);
        }
        assertEquals(List.of("first", "second", "second", "third"), writes);
    }

    private static ObjectCodec codec(String name, List<String> writes) {
        return new ObjectCodec() {
            @Override
            public void write(WireWriter out, Object graph) {
                writes.add(name);
            }

            @Override
            public Object read(WireReader in) {
                throw new AssertionError(name);
            }
        };
    }
}
