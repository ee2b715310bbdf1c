package org.jvrpc.api.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

class WireReaderTest {

    private static final TimeUnit[] UNITS = TimeUnit.values();
    private static final int ROUNDS = 200_000;
    /** As many as a session of the default size has receives and inline answers. */
    private static final int PLACES = 160;
    /** A reader may allocate a small multiple of its bytes, and an exception with its stack trace. */
    private static final long ALLOCATION_LIMIT = 64 * 1024;

    private static final List<Function<WireReader, Object>> READS = List.of(
            WireReader::readBoolean, WireReader::readByte, WireReader::readShort, WireReader::readChar,
            WireReader::readInt, WireReader::readLong, WireReader::readFloat, WireReader::readDouble,
            in -> in.readEnum(UNITS), WireReader::readPresence, in -> in.readCount(3), WireReader::readString,
            WireReader::readBytes, WireReader::readBooleans, WireReader::readShorts, WireReader::readChars,
            WireReader::readInts, WireReader::readLongs, WireReader::readFloats, WireReader::readDoubles,
            WireReader::readBuffer, WireReader::readView, WireReaderTest::readInto,
            Values::readDuration, Values::readInstant, Values::readUuid, Values::readBigInteger,
            Values::readBigDecimal);

    private static Object readInto(WireReader in) {
        ByteBuffer target = ByteBuffer.allocate(16);
        in.readInto(target);
        return target;
    }

    private static void assertMalformed(String message, String hex, Consumer<WireReader> read) {
        RpcException e = assertThrows(RpcException.class, () -> read.accept(Memory.reader(hex)));
        assertEquals(Status.INTERNAL + ": malformed body: " + message, e.status() + ": " + e.getMessage());
    }

    @Test
    void bytesThatAreNoValueAreRefusedWithTheirPlace() {
        assertMalformed("boolean=2 offset=1 length=1", "02", WireReader::readBoolean);
        assertMalformed("boolean=-1 offset=1 length=1", "ff", WireReader::readPresence);
        assertMalformed("needed=4 remaining=3 offset=0 length=3", "010203", WireReader::readInt);
        assertMalformed("enum ordinal=7 constants=7 offset=2 length=2", "0700", in -> in.readEnum(UNITS));
        assertMalformed("enum ordinal=65535 constants=7 offset=2 length=2", "ffff", in -> in.readEnum(UNITS));
        assertMalformed("count=-1 of elements of at least bytes=1 offset=4 length=4", "ffffffff",
                in -> in.readCount(1));
        assertMalformed("count=2 of elements of at least bytes=3 offset=4 length=9", "02000000 0102030405",
                in -> in.readCount(3));
        assertMalformed("string chars=2147483647 offset=4 length=5", "feffffff 00", WireReader::readString);
        assertMalformed("string chars=1 offset=4 length=5", "03000000 00", WireReader::readString);
        assertMalformed("nanoseconds=1000000000 offset=12 length=12", "0000000000000000 00ca9a3b",
                Values::readDuration);
        assertMalformed("nanoseconds=-1 offset=12 length=12", "0000000000000000 ffffffff", Values::readInstant);
        assertMalformed("instant seconds=9223372036854775807 offset=8 length=12", "ffffffffffffff7f 00000000",
                Values::readInstant);
        assertMalformed("integer of length=0 offset=4 length=4", "00000000", Values::readBigInteger);
    }

    @Test
    void moreBytesThanTheCallersBufferTakesAreRefused() {
        WireReader in = Memory.reader("02000000 0102");
        ByteBuffer target = ByteBuffer.allocate(1);
        assertThrows(RpcException.class, () -> in.readInto(target));
        assertEquals(0, target.position());
    }

    @Test
    void readIntoMovesThePositionPastTheLastByte() {
        ByteBuffer target = ByteBuffer.allocate(8).position(3);
        Memory.reader("02000000 0102").readInto(target);
        assertEquals(5, target.position());
        assertEquals(2, target.get(4));
    }

    @Test
    void readIntoFillsTheCallersBufferToItsEnd() {
        ByteBuffer target = ByteBuffer.allocate(2);
        Memory.reader("02000000 0102").readInto(target);
        assertEquals(0, target.remaining());
    }

    @Test
    void aStringBeyondTheScratchMemoryIsReadWhole() {
        String text = "0123456789".repeat(20_000);
        Memory memory = new Memory(2 * text.length());
        memory.out.writeString(text);
        WireReader in = new WireReader();
        in.reset(memory.out.buffer(), memory.out.start(), memory.out.length(), null);
        assertEquals(text, in.readString());
    }

    @Test
    void viewsAreReadOnlyBigEndianAndUsedAgain() {
        byte[] bytes = {2, 0, 0, 0, 1, 2, 1, 0, 0, 0, 3};
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
        WireReader in = new WireReader();
        in.reset(memory, 0, bytes.length, null);
        ByteBuffer first = in.readView();
        ByteBuffer second = in.readView();
        assertNotSame(first, second);
        assertTrue(first.isReadOnly());
        assertEquals(ByteBuffer.wrap(new byte[] {1, 2}), first);
        assertEquals(ByteBuffer.wrap(new byte[] {3}), second);
        first.order(ByteOrder.LITTLE_ENDIAN);
        in.reset(memory, 0, bytes.length, null);
        assertSame(first, in.readView());
        assertEquals(ByteOrder.BIG_ENDIAN, first.order());
    }

    @Test
    void aViewIsItsOwnBytesAloneWhateverItsBoundsAreMovedTo() {
        byte[] bytes = {99, 98, 2, 0, 0, 0, 1, 2, 97, 96};
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
        WireReader in = new WireReader();
        for (int round = 0; round < 2; round++) {
            in.reset(memory, 2, 6, null);
            ByteBuffer view = in.readView();
            view.get();
            view.rewind();
            assertEquals(ByteBuffer.wrap(new byte[] {1, 2}), view, "after rewind()");
            view.position(1).clear();
            assertEquals(ByteBuffer.wrap(new byte[] {1, 2}), view, "after clear()");
            assertThrows(IllegalArgumentException.class, () -> view.limit(3));
            assertEquals(0, view.duplicate().clear().position());
        }
    }

    @Test
    void viewsOfManyPlacesAreFoundAgainWithoutAllocation() {
        ByteBuffer memory = ByteBuffer.allocateDirect(64 * PLACES);
        for (int i = 0; i < PLACES; i++) {
            memory.put(64 * i, (byte) 8).put(64 * i + 4, (byte) i).put(64 * i + 12, (byte) 3);
        }
        WireReader in = new WireReader();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        long before = 0;
        for (int round = 0; round < 2000; round++) {
            if (round == 1000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            for (int i = 0; i < PLACES; i++) {
                in.reset(memory, 64 * i, 19, null);
                ByteBuffer view = in.readView();
                sum += view.get(0) - (byte) i + view.remaining() - 8 + in.readView().remaining() - 3;
            }
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertEquals(0, sum);
        assertTrue(allocated < ALLOCATION_LIMIT, "allocated=" + allocated + " views=" + 2000 * PLACES);
    }

    @Test
    void onlyTheStringItselfIsAllocatedFromTheSecondOn() {
        Memory memory = new Memory(20_000);
        memory.out.writeString("x".repeat(10_000));
        memory.written().readString();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100; i++) {
            assertEquals(10_000, memory.written().readString().length());
        }
        long bytes = (threads.getCurrentThreadAllocatedBytes() - before) / 100;
        assertTrue(bytes < 15_000, "bytes for each string of 10,000 characters: " + bytes);
    }

    @Test
    void placesBeyondThoseThatAreKeptHaveViewsOfTheirOwnBytes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 16);
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) random.nextInt());
        }
        WireReader in = new WireReader();
        for (int i = 0; i < 20_000; i++) {
            int start = random.nextInt(memory.capacity() - 40_000);
            int length = random.nextInt(random.nextBoolean() ? 20 : 30_000);
            byte[] header = {(byte) length, (byte) (length >> 8), 0, 0};
            byte[] before = new byte[4];
            memory.get(start, before).put(start, header);
            in.reset(memory, start, length + 4, null);
            assertEquals(memory.slice(start + 4, length), in.readView(), "seed=" + seed + " start=" + start);
            memory.put(start, before);
        }
    }

    @Test
    void moreViewsThanAreKeptAreAllDifferent() {
        byte[] bytes = new byte[4 * 10];
        WireReader in = Memory.reader(bytes);
        for (int i = 0; i < 10; i++) {
            assertEquals(0, in.readView().remaining());
        }
    }

    @Test
    void nestingHasALimitAndBeginsAnewWithReset() {
        WireReader in = new WireReader();
        ByteBuffer memory = ByteBuffer.allocate(1);
        for (int round = 0; round < 2; round++) {
            in.reset(memory, 0, 1, null);
            for (int i = 0; i < Layout.MAX_DEPTH; i++) {
                in.descend();
            }
            RpcException e = assertThrows(RpcException.class, in::descend);
            assertEquals(Status.INTERNAL, e.status());
        }
    }

    @Test
    void whatIsLeftNoLongerCountsAsNested() {
        WireReader in = Memory.reader("00");
        for (int i = 0; i < Layout.MAX_DEPTH; i++) {
            in.descend();
        }
        in.ascend();
        in.descend();
        assertThrows(RpcException.class, in::descend);
    }

    @Test
    void aReaderThatIsResetReadsTheOtherMemoryAndByTheOtherCodec() {
        WireReader in = new WireReader();
        ByteBuffer first = ByteBuffer.wrap(new byte[] {1});
        ByteBuffer second = ByteBuffer.wrap(new byte[] {2});
        in.reset(first, 0, 1, null);
        assertEquals(1, in.readByte());
        in.reset(second, 0, 1, null);
        assertEquals(2, in.readByte());
        in.reset(second, 0, 1, new Answers("an object"));
        assertEquals("an object", in.readObject(String.class));
        in.reset(second, 0, 1, new Answers("another"));
        assertEquals("another", in.readObject(String.class));
    }

    /** Has all the bytes, which change when they are read; and what was asked of it. */
    private static final class Far implements Rest {
        private final ByteBuffer all;
        private final List<String> asked = new ArrayList<>();

        Far(ByteBuffer all) {
            this.all = all;
        }

        @Override
        public void copy(int position, ByteBuffer target, int at, int length) {
            asked.add("copy " + position + "+" + length);
            target.put(at, all, position, length);
        }

        @Override
        public void bring(WireReader reader) {
            asked.add("bring");
            reader.moveTo(ByteBuffer.allocate(all.capacity() + 7).put(7, all, 0, all.capacity()), 7);
        }

        WireReader reader(int atHand, int length) {
            WireReader in = new WireReader();
            in.reset(all.slice(0, atHand), 0, atHand, length, null, this);
            return in;
        }
    }

    private static ByteBuffer written(Consumer<WireWriter> values) {
        WireWriter out = new WireWriter();
        out.reset(ByteBuffer.allocate(8192), 0, 8192, null, null);
        values.accept(out);
        return out.buffer().slice(0, out.length());
    }

    private static byte[] numbered(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        return bytes;
    }

    @Test
    void aLongArrayIsCopiedFromWhereItLiesAndNothingElseIsBrought() {
        ByteBuffer all = written(out -> {
            out.writeInt(42);
            out.writeBytes(numbered(5000));
        });
        Far far = new Far(all);
        WireReader in = far.reader(64, all.capacity());
        assertEquals(all.capacity(), in.remaining());
        assertEquals(42, in.readInt());
        assertArrayEquals(numbered(5000), in.readBytes());
        assertEquals(0, in.remaining());
        assertEquals(List.of("copy 8+5000"), far.asked);
    }

    @Test
    void aLongArrayIsCopiedToTheCallersBuffer() {
        ByteBuffer all = written(out -> out.writeBytes(numbered(2000)));
        Far far = new Far(all);
        ByteBuffer target = ByteBuffer.allocateDirect(2010).position(10);
        far.reader(64, all.capacity()).readInto(target);
        byte[] bytes = new byte[2000];
        target.flip().position(10).get(bytes);
        assertArrayEquals(numbered(2000), bytes);
        assertEquals(List.of("copy 4+2000"), far.asked);
    }

    @Test
    void whatIsNoLongArrayIsBroughtOnce() {
        ByteBuffer all = written(out -> {
            out.writeBytes(numbered(1024));
            out.writeBytes(numbered(0));
            out.writeBytes(numbered(100));
            out.writeString("text");
            out.writeBytes(numbered(3000));
            out.writeLong(43);
        });
        Far far = new Far(all);
        WireReader in = far.reader(64, all.capacity());
        assertArrayEquals(numbered(1024), in.readBytes());
        assertArrayEquals(numbered(0), in.readBytes());
        assertArrayEquals(numbered(100), in.readBytes());
        assertEquals("text", in.readString());
        ByteBuffer view = in.readView();
        assertEquals(ByteBuffer.wrap(numbered(3000)), view);
        assertEquals(43, in.readLong());
        assertEquals(List.of("copy 4+1024", "bring"), far.asked);
    }

    @Test
    void everyKindOfValueIsBroughtWhereItIsNotAtHand() {
        ByteBuffer all = ByteBuffer.allocate(64);
        for (int i = 0; i < 64; i++) {
            all.put(i, (byte) (i % 4 == 0 ? 1 : 0)); // whatever is read, it is one, or two of something
        }
        for (Function<WireReader, Object> read : READS.subList(0, 12)) {
            WireReader plain = new WireReader();
            plain.reset(all, 0, 64, null);
            Far far = new Far(all);
            assertEquals(read.apply(plain), read.apply(far.reader(0, 64)));
            assertEquals(List.of("bring"), far.asked);
        }
    }

    @Test
    void whatIsBeyondAllBytesIsRefusedBeforeAnyIsAskedFor() {
        ByteBuffer all = written(out -> out.writeBytes(numbered(2000)));
        Far far = new Far(all);
        RpcException e = assertThrows(RpcException.class, () -> far.reader(64, 2003).readBytes());
        assertEquals("malformed body: count=2000 of elements of at least bytes=1 offset=4 length=2003",
                e.getMessage());
        WireReader in = far.reader(64, 70);
        for (int i = 0; i < 8; i++) {
            in.readLong();
        }
        assertThrows(RpcException.class, in::readLong);
        assertEquals(List.of(), far.asked);
    }

    @Test
    void anotherResetForgetsTheRest() {
        Far far = new Far(written(out -> out.writeBytes(numbered(2000))));
        WireReader in = far.reader(64, 2004);
        in.reset(ByteBuffer.allocate(8), 0, 3, null);
        assertEquals(3, in.remaining());
        assertThrows(RpcException.class, in::readInt);
        assertEquals(List.of(), far.asked);
    }

    /** Reads one object whatever the bytes. */
    private record Answers(Object answer) implements ObjectCodec {

        @Override
        public void write(WireWriter out, Object graph) {
            throw new AssertionError();
        }

        @Override
        public Object read(WireReader in) {
            return answer;
        }
    }

    @Test
    void anObjectOfTheWrongTypeIsRefused() {
        WireReader in = new WireReader();
        in.reset(ByteBuffer.allocate(1), 0, 1, new Answers("a string"));
        assertEquals("a string", in.readObject(CharSequence.class));
        RpcException e = assertThrows(RpcException.class, () -> in.readObject(Integer.class));
        assertEquals("object of the wrong type: expected=java.lang.Integer actual=java.lang.String", e.getMessage());
    }

    @Test
    void anyBytesGiveAValueOrAnRpcExceptionAndAllocateLittle() {
        long seed = System.nanoTime();
        System.out.println("WireReaderTest seed=" + seed);
        Random random = new Random(seed);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[random.nextInt(64)];
            random.nextBytes(bytes);
            if (bytes.length >= 4 && random.nextBoolean()) {
                bytes[1] = 0;
                bytes[2] = 0;
                bytes[3] = 0;
            }
            WireReader in = Memory.reader(bytes);
            long before = threads.getCurrentThreadAllocatedBytes();
            readAll(in, random, seed);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(round < 1000 || allocated < ALLOCATION_LIMIT, "seed=" + seed + " allocated=" + allocated);
        }
    }

    private static void readAll(WireReader in, Random random, long seed) {
        try {
            while (in.remaining() > 0) {
                READS.get(random.nextInt(READS.size())).apply(in);
                assertTrue(in.remaining() >= 0, "seed=" + seed);
            }
        } catch (RpcException e) {
            assertEquals(Status.INTERNAL, e.status(), "seed=" + seed);
        } catch (RuntimeException e) {
            throw new AssertionError("seed=" + seed, e);
        }
    }
}
