package org.jvrpc.runtime.amplify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.amplify.Hoards.Empty;
import org.jvrpc.runtime.amplify.Hoards.Link;

/** How much of a heap the bytes of a request take when they are decoded, at worst. */
class HeapOfCallsTest {

    /** Of heap for a byte of a request. */
    private static final double MOST = 64;
    private static final int ELEMENTS = 20_000;
    private static final int MEMORY = 1 << 20;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ByteBuffer memory = ByteBuffer.allocate(MEMORY).order(ByteOrder.LITTLE_ENDIAN);

    private <T> void measure(
            String what, T value, BiConsumer<WireWriter, T> write, Function<WireReader, T> read) {
        WireWriter out = new WireWriter();
        out.reset(memory, 0, MEMORY, null, null);
        write.accept(out, value);
        int bytes = out.length();
        WireReader in = new WireReader();
        in.reset(memory, 0, bytes, null);
        read.apply(in); // classes are loaded, and the reader's own memory is made
        in.reset(memory, 0, bytes, null);
        long before = threads.getCurrentThreadAllocatedBytes();
        T decoded = read.apply(in);
        long heap = threads.getCurrentThreadAllocatedBytes() - before;
        assertEquals(value, decoded);
        double each = (double) heap / bytes;
        System.out.printf("HeapOfCallsTest %s: request=%d heap=%d bytes, %.1f for each%n", what, bytes, heap, each);
        assertTrue(each > 0 && each <= MOST, what + ": request=" + bytes + " heap=" + heap + " limit=" + MOST);
    }

    private static <T> List<T> many(T element) {
        return IntStream.range(0, ELEMENTS).mapToObj(i -> element).toList();
    }

    private static Link chain(int length) {
        Link link = null;
        for (int i = 0; i < length; i++) {
            link = new Link(link);
        }
        return link;
    }

    @Test
    void aByteOfARequestTakesNoMoreThanSoManyOfTheHeap() {
        measure("empty records", many(new Empty()), HoardsCodec::writeListOfEmpty, HoardsCodec::readListOfEmpty);
        measure("strings", many(""), HoardsCodec::writeListOfString, HoardsCodec::readListOfString);
        measure("wide strings", many("\u0416"), HoardsCodec::writeListOfString, HoardsCodec::readListOfString);
        measure("empty lists", many(List.<Boolean>of()), HoardsCodec::writeListOfListOfNullableBoolean,
                HoardsCodec::readListOfListOfNullableBoolean);
        measure("lists", many(List.of(true)), HoardsCodec::writeListOfListOfNullableBoolean,
                HoardsCodec::readListOfListOfNullableBoolean);
        measure("empty sets", many(Set.<Boolean>of()), HoardsCodec::writeListOfSetOfNullableBoolean,
                HoardsCodec::readListOfSetOfNullableBoolean);
        measure("sets", many(Set.of(true)), HoardsCodec::writeListOfSetOfNullableBoolean,
                HoardsCodec::readListOfSetOfNullableBoolean);
        measure("empty maps", many(Map.<Boolean, Boolean>of()),
                HoardsCodec::writeListOfMapOfNullableBooleanToNullableBoolean,
                HoardsCodec::readListOfMapOfNullableBooleanToNullableBoolean);
        measure("maps", many(Map.of(true, true)),
                HoardsCodec::writeListOfMapOfNullableBooleanToNullableBoolean,
                HoardsCodec::readListOfMapOfNullableBooleanToNullableBoolean);
        measure("entries", IntStream.range(0, 17_000).boxed() // behind a power of two: the table is longest
                .collect(Collectors.toMap(Integer::shortValue, i -> new Empty())),
                HoardsCodec::writeMapOfNullableShortToEmpty, HoardsCodec::readMapOfNullableShortToEmpty);
        measure("boxes", many((short) 1000), HoardsCodec::writeListOfNullableShort,
                HoardsCodec::readListOfNullableShort);
        measure("options", many(Optional.of(new Empty())), HoardsCodec::writeListOfOptionalOfEmpty,
                HoardsCodec::readListOfOptionalOfEmpty);
        measure("chains", many(chain(20)), HoardsCodec::writeListOfLink, HoardsCodec::readListOfLink);
    }
}
