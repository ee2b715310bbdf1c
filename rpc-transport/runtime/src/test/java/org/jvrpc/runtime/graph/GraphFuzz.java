package org.jvrpc.runtime.graph;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.TreeMap;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.testing.fuzz.FuzzCheck;

/**
 * Any bytes as an object graph. They are refused by an {@link RpcException} INTERNAL, or a graph that can be written
 * again, or is refused as INVALID_ARGUMENT then; either way little is allocated. The graph read before and after is
 * whole, though instances of Kryo are used again.
 */
final class GraphFuzz {

    /** What ten bytes may have allocated: {@link GraphInput#FREE_ELEMENTS}, and what Kryo itself needs. */
    private static final long FREE_BYTES = 4L << 20;
    private static final int BYTES_A_BYTE = 256;
    /** The hash code of a collection in itself goes to the end of the stack, each step with an iterator. */
    private static final long STACK_BYTES = 64L << 20;
    private static final List<Class<?>> CLASSES = List.of(byte[].class, char[].class, short[].class, int[].class,
            long[].class, float[].class, double[].class, boolean[].class, String[].class, Object[].class,
            BigInteger.class, ArrayList.class, HashSet.class, LinkedList.class, HashMap.class, TreeMap.class,
            BitSet.class, StringBuilder.class, Arrays.asList(1).getClass(), List.of().getClass(), Link[].class,
            Link.class, int[][].class);
    private static final List<Object> GOOD = new ArrayList<>(Arrays.asList("whole", 1, null, 2L));
    private static final KryoCodec CODEC = new KryoCodec(CLASSES);
    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(1 << 20);
    private static final ByteBuffer GOOD_MEMORY = ByteBuffer.allocateDirect(1 << 10);
    private static final WireWriter WRITER = new WireWriter();
    private static final WireReader READER = new WireReader();

    private static boolean overflows;

    private GraphFuzz() {
    }

    /** A class with a field of its own kind. */
    static final class Link {
        private Link next;
        private long[] numbers;
        private Object any;
    }

    public static void fuzzerTestOneInput(byte[] input) {
        WRITER.reset(MEMORY, 0, MEMORY.capacity(), null, null);
        WRITER.writeBytes(input, 0, input.length);
        int length = WRITER.length();
        Object[] graph = new Object[1];
        FuzzCheck.allocates(() -> FREE_BYTES + (long) BYTES_A_BYTE * input.length + (overflows ? STACK_BYTES : 0),
                () -> graph[0] = read(length));
        write(graph[0]);
        WRITER.reset(GOOD_MEMORY, 0, GOOD_MEMORY.capacity(), null, null);
        CODEC.write(WRITER, GOOD);
        READER.reset(GOOD_MEMORY, 0, WRITER.length(), null);
        FuzzCheck.that(GOOD.equals(CODEC.read(READER)), "a good graph is damaged by the one before");
    }

    private static Object read(int length) {
        READER.reset(MEMORY, 0, length, null);
        overflows = false;
        try {
            return CODEC.read(READER);
        } catch (RpcException e) {
            FuzzCheck.that(e.status() == Status.INTERNAL, e);
            overflows = e.getCause() instanceof StackOverflowError;
            return null;
        }
    }

    private static void write(Object graph) {
        try {
            WRITER.reset(MEMORY, 0, MEMORY.capacity(), (writer, needed) -> {
                throw new RpcException(Status.RESOURCE_EXHAUSTED, "longer than the memory");
            }, null);
            CODEC.write(WRITER, graph);
        } catch (RpcException e) {
            FuzzCheck.that(e.status() == Status.INVALID_ARGUMENT || e.status() == Status.RESOURCE_EXHAUSTED, e);
        }
    }
}
