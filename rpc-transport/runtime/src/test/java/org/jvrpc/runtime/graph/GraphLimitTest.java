package org.jvrpc.runtime.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Object graphs whose bytes claim more than they hold. */
class GraphLimitTest {

    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** What a body of ten bytes may have allocated: the elements that cost no bytes, and what Kryo itself needs. */
    private static final long MOST = 2L << 20;
    private static final List<Class<?>> CLASSES = List.of(byte[].class, char[].class, short[].class, int[].class,
            long[].class, float[].class, double[].class, boolean[].class, String[].class, Object[].class,
            BigInteger.class, ArrayList.class, HashSet.class, LinkedList.class, HashMap.class, TreeMap.class,
            BitSet.class, StringBuilder.class, PriorityQueue.class, Arrays.asList(1).getClass(), List.of().getClass(),
            Link[].class, Link.class, int[][].class);

    /** A class with a field of its own kind. */
    static final class Link {
        private Link next;
        private long[] numbers;
    }

    private final KryoCodec codec = new KryoCodec(CLASSES);

    private Object read(byte[] graph) {
        ByteBuffer memory = ByteBuffer.allocateDirect(graph.length + 64);
        WireWriter writer = new WireWriter();
        writer.reset(memory, 0, memory.capacity(), null, null);
        writer.writeBytes(graph, 0, graph.length);
        WireReader reader = new WireReader();
        reader.reset(memory, 0, writer.length(), null);
        return codec.read(reader);
    }

    private byte[] written(Object graph) {
        ByteBuffer memory = ByteBuffer.allocateDirect(8 << 20).order(ByteOrder.LITTLE_ENDIAN);
        WireWriter writer = new WireWriter();
        writer.reset(memory, 0, memory.capacity(), null, null);
        codec.write(writer, graph);
        WireReader reader = new WireReader();
        reader.reset(memory, 0, writer.length(), null);
        return reader.readBytes();
    }

    /** Reads what may be no graph; returns how much this thread allocated for it. */
    private long allocatedFor(byte[] graph) {
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        try {
            read(graph);
        } catch (RpcException e) {
            assertEquals(Status.INTERNAL, e.status(), e.getMessage());
        }
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }

    private void expectLittle(byte[] graph) {
        long bytes = allocatedFor(graph);
        assertTrue(bytes <= MOST, () -> "a body " + Arrays.toString(graph) + " had bytes=" + bytes + " allocated");
    }

    @Test
    void tenBytesThatAskForGibibytesGetAStatusAndNoMemory() {
        allocatedFor(new byte[10]);
        int[][] lengths = {{0xff, 0xff, 0xff, 0xff, 0x07}, {0xff, 0xff, 0xff, 0xff, 0x0f}, {0x80, 0x80, 0x80, 0x80, 4},
            {0xff, 0xff, 0xff, 0x7f}, {0xff, 0xff, 0xff, 0x3f}, {0x80, 0x80, 0x80, 0x40}, {0x7f, 0xff, 0xff, 0xff, 1},
            {0x40, 0x80, 0x80, 0x80, 2}, {0xc0, 0x80, 0x80, 0x80, 2}};
        for (int id = 0; id < CLASSES.size() + 16; id++) {
            for (int[] length : lengths) {
                for (int marks = 0; marks < 2; marks++) {
                    byte[] body = new byte[10];
                    body[0] = (byte) id;
                    body[1] = 1;
                    for (int i = 0; i < length.length; i++) {
                        body[1 + marks + i] = (byte) length[i];
                    }
                    expectLittle(body);
                }
            }
        }
    }

    @Test
    void randomBodiesOfTenBytesAllocateLittle() {
        System.out.println("randomBodiesOfTenBytes: -Djvrpc.seed=" + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        allocatedFor(new byte[10]);
        for (int i = 0; i < 50_000; i++) {
            byte[] body = new byte[10];
            random.nextBytes(body);
            body[0] = (byte) random.nextInt(CLASSES.size() + 16);
            body[1] = (byte) random.nextInt(3);
            expectLittle(body);
        }
    }

    @Test
    void arraysWithinArraysClaimNoMoreThanAllBytesOnce() {
        int id = written(new Object[0])[0];
        byte[] body = new byte[30_000];
        for (int at = 0; at + 5 <= body.length; at += 5) { // class, mark, length: each claims all bytes anew
            body[at] = (byte) id;
            body[at + 1] = 1;
            body[at + 2] = (byte) 0xb0;
            body[at + 3] = (byte) 0xea;
            body[at + 4] = 1;
        }
        long bytes = allocatedFor(body);
        assertTrue(bytes < 8 << 20, "a body of bytes=" + body.length + " had bytes=" + bytes + " allocated");
    }

    @Test
    void graphsThatAreWhatTheySayPass() {
        long[] numbers = new SplittableRandom(1).longs(100_000).toArray();
        assertArrayEquals(numbers, (long[]) read(written(numbers)));
        Map<Object, Object> map = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            map.put(i, "värde " + i);
        }
        assertEquals(map, read(written(map)));
        String[] names = new String[50_000];
        Arrays.setAll(names, i -> i % 3 == 0 ? null : "n" + i);
        assertArrayEquals(names, (String[]) read(written(names)));
        List<Object> nothing = new ArrayList<>(Collections.nCopies(GraphInput.FREE_ELEMENTS, null));
        assertEquals(nothing, read(written(nothing)));
        List<Object> mixed = new ArrayList<>(List.of("a", 1, new BigInteger("123456789012345678901234567890")));
        assertEquals(mixed, read(written(mixed)));
        assertEquals(Arrays.asList("x", "y"), read(written(Arrays.asList("x", "y"))));
    }

    private static Link chain(int length) {
        Link first = null;
        for (int i = 0; i < length; i++) {
            Link link = new Link();
            link.next = first;
            link.numbers = new long[] {i};
            first = link;
        }
        return first;
    }

    @Test
    void graphsTooDeepAreRefusedByWriterAndReader() {
        Link read = (Link) read(written(chain(GraphKryo.MAX_DEPTH - 1)));
        int length = 0;
        for (Link at = read; at != null; at = at.next) {
            length++;
        }
        assertEquals(GraphKryo.MAX_DEPTH - 1, length);
        RpcException deep = assertThrows(RpcException.class, () -> written(chain(100_000)));
        assertEquals(Status.INVALID_ARGUMENT, deep.status());
        assertTrue(deep.getMessage().contains("depth"), deep.getMessage());
    }

    @Test
    void theBufferOfTheLargestGraphIsNotKept() {
        long[] large = new SplittableRandom(2).longs(500_000).toArray();
        written(large);
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        written(large);
        long bytes = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertTrue(bytes > 8_000_000, "a second graph was written to a buffer that was kept: bytes=" + bytes);
    }
}
