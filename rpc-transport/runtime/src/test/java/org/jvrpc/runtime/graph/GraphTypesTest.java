package org.jvrpc.runtime.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.TaggedFieldSerializer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Graphs whose bytes put an object into a field of another type: what gets there breaks the JVM, some calls later. */
class GraphTypesTest {

    private static final long[] NUMBERS = {1, 2, 3};

    /** What a writer that means harm takes for {@link Node}: not final, so that their bytes look alike. */
    static class AnyNode {
        private Object next;
        private long[] first;
        private long[] second;
        private int number;
    }

    static class Node {
        private Node next;
        private long[] first;
        private String second;
        private int number;
    }

    /** With one field, which is its last. */
    static class Last {
        private Last next;
    }

    @DefaultSerializer(TaggedFieldSerializer.class)
    static class Tagged {
        @TaggedFieldSerializer.Tag(1)
        private Tagged next;
    }

    private static final KryoCodec WRITER = new KryoCodec(List.of(AnyNode.class, Last.class, long[].class,
            String[].class, ArrayList.class));
    private static final KryoCodec READER = new KryoCodec(List.of(Node.class, Last.class, long[].class,
            String[].class, ArrayList.class));

    private static Object pass(KryoCodec from, Object graph) {
        return pass(from, graph, READER);
    }

    private static Object pass(KryoCodec from, Object graph, KryoCodec to) {
        ByteBuffer memory = ByteBuffer.allocateDirect(1 << 12);
        WireWriter out = new WireWriter();
        out.reset(memory, 0, memory.capacity(), null, null);
        from.write(out, graph);
        WireReader in = new WireReader();
        in.reset(memory, 0, out.length(), null);
        return to.read(in);
    }

    private static void assertRefused(Object graph, String field, String value) {
        RpcException e = assertThrows(RpcException.class, () -> pass(WRITER, graph));
        assertEquals(Status.INTERNAL, e.status());
        assertTrue(e.getMessage().contains("a field of type " + field + " cannot hold a " + value), e.getMessage());
    }

    @Test
    void anObjectOfAnotherClassIsNotPutIntoAField() {
        AnyNode node = new AnyNode();
        node.next = NUMBERS;

        assertRefused(node, Node.class.getName(), "[J");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReferenceToAnObjectOfAnotherClassIsNotPutIntoAField(boolean within) {
        AnyNode node = new AnyNode();
        node.first = NUMBERS;
        node.second = NUMBERS;
        AnyNode outer = new AnyNode();
        outer.next = node;

        assertRefused(within ? outer : node, "java.lang.String", "[J");
    }

    @Test
    void aGoodGraphIsReadAfterABadOne() {
        AnyNode bad = new AnyNode();
        bad.next = NUMBERS;
        Node node = new Node();
        node.next = node;
        node.first = NUMBERS;
        node.second = "text";
        node.number = 7;

        assertThrows(RpcException.class, () -> pass(WRITER, bad));
        Node read = (Node) pass(READER, node);

        assertSame(read, read.next);
        assertArrayEquals(NUMBERS, read.first);
        assertEquals("text", read.second);
        assertEquals(7, read.number);
    }

    @Test
    void whatFollowsAnEmptyFieldIsNotTakenForItsValue() {
        Last last = new Last(); // its one field is null
        List<?> read = (List<?>) pass(READER, new ArrayList<>(List.of(last, new String[] {"a", "b"})));

        assertNull(((Last) read.get(0)).next);
        assertArrayEquals(new String[] {"a", "b"}, (String[]) read.get(1));
    }

    @Test
    void aSerializerThatChecksNoFieldsIsRefused() {
        KryoCodec codec = new KryoCodec(List.of(Tagged.class));

        Exception e = assertThrows(IllegalArgumentException.class, () -> pass(codec, new Tagged()));

        assertTrue(e.getMessage().startsWith(Tagged.class.getName() + " has a TaggedFieldSerializer"), e.getMessage());
    }

    static class Box<T> {
        private T value;
    }

    static class Boxes {
        private final Box<Integer> number = new Box<>();
        private Object other;
    }

    @Test
    void whatATypeVariableStandsForEndsWithItsObject() {
        Box<String> text = new Box<>();
        text.value = "text";
        Boxes boxes = new Boxes();
        boxes.number.value = 7;
        boxes.other = text;
        KryoCodec codec = new KryoCodec(List.of(Boxes.class, Box.class));

        Boxes read = (Boxes) pass(codec, boxes, codec);

        assertEquals(7, read.number.value);
        assertEquals("text", ((Box<?>) read.other).value);
    }
}
