package org.jvrpc.runtime.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Output;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** What a graph's bytes may claim, to the last element. */
class GraphInputTest {

    private static final int FREE = 1 << 16;

    private final GraphInput input = new GraphInput();

    private static byte[] bytes(Consumer<Output> writes) {
        Output output = new Output(256);
        writes.accept(output);
        return output.toBytes();
    }

    /** What was written is read again, where all of it is there and not where a byte is missing. */
    private void fits(Object expected, Consumer<Output> writes, IntFunction<Object> read, int length) {
        byte[] all = bytes(writes);
        input.begin(all);
        assertArrayEquals(new Object[] {expected}, new Object[] {read.apply(length)});
        input.begin(Arrays.copyOf(all, all.length - 1));
        KryoException e = assertThrows(KryoException.class, () -> read.apply(length));
        assertEquals("graph says more than its bytes hold: elements=" + length + " bytes=" + (all.length - 1) + " left="
                + (all.length - 1), e.getMessage());
        input.begin(all);
        assertThrows(KryoException.class, () -> read.apply(-1));
    }

    @Test
    void arraysAreReadWhereTheirBytesAreThere() {
        byte[] some = {1, 2, 3};
        fits(some, out -> out.writeBytes(some), input::readBytes, 3);
        int[] ints = {1, 2, 300};
        fits(ints, out -> out.writeInts(ints, 0, 3), input::readInts, 3);
        int[] small = {1, 2, 3};
        fits(small, out -> out.writeInts(small, 0, 3, true), n -> input.readInts(n, true), 3);
        long[] longs = {1, 2, 300};
        fits(longs, out -> out.writeLongs(longs, 0, 3), input::readLongs, 3);
        long[] few = {1, 2, 3};
        fits(few, out -> out.writeLongs(few, 0, 3, true), n -> input.readLongs(n, true), 3);
        float[] floats = {1, 2.5f};
        fits(floats, out -> out.writeFloats(floats, 0, 2), input::readFloats, 2);
        double[] doubles = {1, 2.5};
        fits(doubles, out -> out.writeDoubles(doubles, 0, 2), input::readDoubles, 2);
        short[] shorts = {1, 2};
        fits(shorts, out -> out.writeShorts(shorts, 0, 2), input::readShorts, 2);
        char[] chars = {'a', 'b'};
        fits(chars, out -> out.writeChars(chars, 0, 2), input::readChars, 2);
        boolean[] booleans = {true, false};
        fits(booleans, out -> out.writeBooleans(booleans, 0, 2), input::readBooleans, 2);
    }

    @Test
    void whatWasReadBeforeIsNotThereAnyMore() {
        input.begin(new byte[10]);
        input.readBytes(7);
        assertEquals(3, input.readBytes(3).length);
        assertEquals(0, input.readBytes(0).length);
        input.begin(new byte[10]);
        input.readBytes(7);
        assertEquals("graph says more than its bytes hold: elements=4 bytes=10 left=3",
                assertThrows(KryoException.class, () -> input.readBytes(4)).getMessage());
    }

    @Test
    void elementsAreClaimedOnceForAllBytesAndSomeForNothing() {
        input.begin(new byte[10]);
        input.claim(6);
        input.claim(FREE);
        input.claim(4);
        input.claim(0);
        assertEquals("graph claims more elements than its bytes hold: elements=1 bytes=10 left=10",
                assertThrows(KryoException.class, () -> input.claim(1)).getMessage());
        input.begin(new byte[10]);
        input.claim(10 + FREE);
        input.begin(new byte[10]);
        assertThrows(KryoException.class, () -> input.claim(11 + FREE));
        input.begin(new byte[10]);
        assertEquals("graph claims more elements than its bytes hold: elements=-1 bytes=10 left=10",
                assertThrows(KryoException.class, () -> input.claim(-1)).getMessage());
    }

    @Test
    void aClaimThatIsRefusedSaysWhatIsLeft() {
        input.begin(new byte[10]);
        input.readBytes(4);
        assertEquals("graph claims more elements than its bytes hold: elements=70000 bytes=10 left=6",
                assertThrows(KryoException.class, () -> input.claim(70_000)).getMessage());
    }

    @Test
    void whatIsLetGoIsNotKept() {
        input.begin(new byte[10]);
        input.letGo();
        assertEquals(0, input.getBuffer().length);
    }

    @Test
    void lengthsThatAreReadAreClaimed() {
        for (int length : new int[] {0, 1, FREE, FREE + 1}) {
            byte[] all = bytes(out -> out.writeVarIntFlag(true, length, true));
            input.begin(all);
            input.readVarIntFlag();
            assertEquals(length, input.readVarIntFlag(true));
            int claimed = Math.max(0, length - 1);
            input.claim(FREE + all.length - claimed);
            assertThrows(KryoException.class, () -> input.claim(1), "length=" + length);
        }
        byte[] all = bytes(out -> out.writeVarIntFlag(true, 2 * FREE, true));
        input.begin(all);
        input.readVarIntFlag();
        assertThrows(KryoException.class, () -> input.readVarIntFlag(true));
    }

    private static String reads(KryoCodec codec, byte[] graph) {
        ByteBuffer memory = ByteBuffer.allocateDirect(graph.length + 64);
        WireWriter writer = new WireWriter();
        writer.reset(memory, 0, memory.capacity(), null, null);
        writer.writeBytes(graph, 0, graph.length);
        WireReader reader = new WireReader();
        reader.reset(memory, 0, writer.length(), null);
        RpcException e = assertThrows(RpcException.class, () -> codec.read(reader));
        assertEquals(Status.INTERNAL, e.status());
        return e.getMessage();
    }

    @Test
    void refusalsAreALineThatSaysWhy() {
        KryoCodec codec = new KryoCodec(List.of(ArrayList.class));
        String message = reads(codec, new byte[] {0x7f});
        assertEquals("object graph cannot be read: Encountered unregistered class ID: 125", message);
        ByteBuffer memory = ByteBuffer.allocateDirect(1024);
        WireWriter writer = new WireWriter();
        writer.reset(memory, 0, memory.capacity(), null, null);
        RpcException e = assertThrows(RpcException.class, () -> codec.write(writer, Thread.currentThread()));
        assertEquals(Status.INVALID_ARGUMENT, e.status());
        assertTrue(e.getMessage().startsWith("object graph cannot be written: Class is not registered: "),
                e.getMessage());
        assertEquals(-1, e.getMessage().indexOf('\n'));
    }

    @Test
    void aGraphThatFailedLeavesNothingForTheNext() {
        KryoCodec codec = new KryoCodec(List.of(ArrayList.class));
        reads(codec, new byte[] {0x7f});
        ByteBuffer memory = ByteBuffer.allocateDirect(1024);
        WireWriter writer = new WireWriter();
        for (int i = 0; i < 3; i++) {
            List<Object> graph = new ArrayList<>(List.of("a", "b", "a"));
            graph.add(graph.get(0));
            writer.reset(memory, 0, memory.capacity(), null, null);
            codec.write(writer, graph);
            WireReader reader = new WireReader();
            reader.reset(memory, 0, writer.length(), null);
            assertEquals(graph, codec.read(reader));
        }
    }

    /** Has no constructor that takes nothing. */
    static final class Pair {

        private final int one;
        private final Object two;

        Pair(int one, Object two) {
            this.one = one;
            this.two = two;
        }
    }

    private final KryoCodec codec = new KryoCodec(
            List.of(Object[].class, boolean[].class, String[].class, HashMap.class, Pair.class, ArrayList.class));
    private final ByteBuffer memory = ByteBuffer.allocateDirect(8 << 20);
    private final WireWriter writer = new WireWriter();
    private final WireReader reader = new WireReader();

    private byte[] written(Object graph) {
        writer.reset(memory, 0, memory.capacity(), null, null);
        codec.write(writer, graph);
        reader.reset(memory, 0, writer.length(), null);
        return reader.readBytes();
    }

    private Object again(Object graph) {
        written(graph);
        reader.reset(memory, 0, writer.length(), null);
        return codec.read(reader);
    }

    @Test
    void arraysAndObjectsComeOutAsTheyWentIn() {
        Object[] objects = {"a", null, "b"};
        assertArrayEquals(objects, (Object[]) again(objects));
        boolean[] booleans = {true, false, true};
        assertArrayEquals(booleans, (boolean[]) again(booleans));
        String[] strings = {"a", null};
        assertArrayEquals(strings, (String[]) again(strings));
        Pair pair = (Pair) again(new Pair(7, "x"));
        assertEquals(7, pair.one);
        assertEquals("x", pair.two);
    }

    /** Returns how a graph is refused that is the head of another one, with another length. */
    private String refused(Object like, int length) {
        byte[] head = {written(like)[0], 1};
        byte[] all = bytes(out -> {
            out.writeBytes(head);
            out.writeVarInt(length, true);
        });
        return reads(codec, all);
    }

    @Test
    void lengthsOfArraysAndMapsAreClaimedBeforeAnythingIsMadeOfThem() {
        int most = FREE + 5; // head and length are five bytes
        for (Object array : new Object[] {new Object[0], new boolean[0], new String[0]}) {
            String claims = "object graph cannot be read: graph claims more elements than its bytes hold: elements=";
            assertTrue(refused(array, most + 2).startsWith(claims + (most + 1)), refused(array, most + 2));
            assertEquals(-1, refused(array, most + 1).indexOf("claims more"), refused(array, most + 1));
        }
        assertTrue(refused(new HashMap<>(), most + 2).contains("claims more elements"),
                refused(new HashMap<>(), most + 2));
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getThreadAllocatedBytes(
                Thread.currentThread().getId());
    }

    @Test
    void theCharsOfALongStringAreNotKept() {
        String text = "ü".repeat(1 << 20);
        again(text);
        written(text);
        reader.reset(memory, 0, writer.length(), null);
        long before = allocated();
        assertEquals(text, codec.read(reader));
        long bytes = allocated() - before; // those read, the chars, and the string of a byte each
        assertTrue(bytes > 9 << 19, "chars were kept: bytes=" + bytes);
    }

    @Test
    void whatASmallGraphNeededIsUsedAgain() {
        for (int i = 0; i < 100; i++) {
            again("x");
        }
        long before = allocated();
        again("x");
        long bytes = allocated() - before;
        assertTrue(bytes < 4096, "a graph had bytes=" + bytes + " allocated");
    }
}
