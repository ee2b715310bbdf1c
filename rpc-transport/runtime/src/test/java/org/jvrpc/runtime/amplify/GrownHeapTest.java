package org.jvrpc.runtime.amplify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.amplify.Hoards.Around;
import org.jvrpc.runtime.amplify.Hoards.GrownALittle;
import org.jvrpc.runtime.amplify.Hoards.GrownFromAny;
import org.jvrpc.runtime.amplify.Hoards.GrownFromKind;
import org.jvrpc.runtime.amplify.Hoards.GrownFromName;

/** How much of a heap records take of which a peer, who knows the first version alone, sends next to nothing. */
class GrownHeapTest {

    /** Of heap for a byte of a request; an element of a set takes most. */
    private static final double MOST = 96;
    private static final int ALLOWANCE = 1 << 18;
    /** The exception and its message. */
    private static final int REFUSAL = 1 << 14;
    private static final int FEW = 1000;
    private static final int MANY = 100_000;
    private static final int MEMORY = 1 << 23;
    private static final GrownFromAny ANY = new GrownFromAny(0, 0, 0, 0, 0, 0, null, null, null, OptionalLong.empty());

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ByteBuffer memory = ByteBuffer.allocate(MEMORY).order(ByteOrder.LITTLE_ENDIAN);
    private long heap;
    private int bytes;

    /** How many components travel, by the records' order. */
    private record Fields(int... counts) implements ObjectCodec {

        @Override
        public int fields(int layout) {
            return counts[layout];
        }

        @Override
        public void write(WireWriter out, Object graph) {
            throw new AssertionError("no graphs here");
        }

        @Override
        public Object read(WireReader in) {
            throw new AssertionError("no graphs here");
        }
    }

    /** Of Around, GrownALittle, GrownFromAny, GrownFromKind, GrownFromName. */
    private static final Fields FIRST = new Fields(1, 1, 0, 1, 1);
    private static final Fields LATEST = new Fields(2, 2, 10, 5, 21);

    private static GrownFromKind kind(int kind) {
        return new GrownFromKind((byte) kind, 0, 0, 0, 0);
    }

    private <T> T pass(T value, Fields fields, BiConsumer<WireWriter, T> write, Function<WireReader, T> read) {
        WireWriter out = new WireWriter();
        out.reset(memory, 0, MEMORY, null, fields);
        write.accept(out, value);
        bytes = out.length();
        WireReader in = new WireReader();
        in.reset(memory, 0, bytes, fields);
        long before = threads.getCurrentThreadAllocatedBytes();
        try {
            return read.apply(in);
        } finally {
            heap = threads.getCurrentThreadAllocatedBytes() - before;
        }
    }

    /** Too many are refused before they have taken more than they may; fewer are not. */
    private <T> void bounded(
            String what, T few, T many, BiConsumer<WireWriter, T> write, Function<WireReader, T> read) {
        assertEquals(few, pass(few, FIRST, write, read));
        RpcException e = assertThrows(RpcException.class, () -> pass(many, FIRST, write, read), what);
        System.out.printf("GrownHeapTest %s: request=%d heap=%d%n", what, bytes, heap);
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status(), e.getMessage());
        assertTrue(e.getMessage().matches("records whose components did not travel take too much memory beyond what"
                + " their bytes pay for: heap=262\\d\\d\\d limit=262144 offset=\\d+ length=" + bytes), e.getMessage());
        assertTrue(heap <= MOST * bytes + ALLOWANCE + REFUSAL, what + ": request=" + bytes + " heap=" + heap);
        assertEquals(many, pass(many, LATEST, write, read), "all of it travels, and pays");
    }

    @Test
    void recordsWhoseComponentsDidNotTravelTakeNoMoreThanSoMuchOfTheHeap() {
        bounded("lists", Collections.nCopies(FEW, ANY), Collections.nCopies(MANY, ANY),
                HoardsCodec::writeListOfGrownFromAny, HoardsCodec::readListOfGrownFromAny);
        bounded("maps", optional(FEW, 1), optional(100, 1000),
                HoardsCodec::writeMapOfNullableShortToListOfOptionalOfGrownFromAny,
                HoardsCodec::readMapOfNullableShortToListOfOptionalOfGrownFromAny);
        Around around = new Around(ANY, null);
        bounded("records", Collections.nCopies(FEW, around), Collections.nCopies(MANY, around),
                HoardsCodec::writeListOfAround, HoardsCodec::readListOfAround);
        Set<GrownFromKind> kinds = IntStream.range(0, 256).mapToObj(GrownHeapTest::kind).collect(Collectors.toSet());
        bounded("sets", List.of(kinds, kinds), Collections.nCopies(MANY / 256, kinds),
                HoardsCodec::writeListOfSetOfGrownFromKind, HoardsCodec::readListOfSetOfGrownFromKind);
    }

    private static Map<Short, List<Optional<GrownFromAny>>> optional(int entries, int each) {
        List<Optional<GrownFromAny>> list = Collections.nCopies(each, Optional.of(ANY));
        return IntStream.range(0, entries).boxed().collect(Collectors.toMap(Integer::shortValue, i -> list));
    }

    private static List<GrownFromName> named(String name) {
        return Collections.nCopies(MANY, new GrownFromName(name, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                0, 0));
    }

    @Test
    void aNameThatIsNotShortPaysForComponentsThatDidNotTravel() {
        List<GrownFromName> long40 = named("x".repeat(40));
        assertEquals(long40, pass(long40, FIRST, HoardsCodec::writeListOfGrownFromName,
                HoardsCodec::readListOfGrownFromName));
        assertTrue(heap <= MOST * bytes, "request=" + bytes + " heap=" + heap);
        RpcException e = assertThrows(RpcException.class, () -> pass(named(""), FIRST,
                HoardsCodec::writeListOfGrownFromName, HoardsCodec::readListOfGrownFromName));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status(), e.getMessage());
        assertTrue(heap <= MOST * bytes + ALLOWANCE + REFUSAL, "request=" + bytes + " heap=" + heap);
    }

    @Test
    void whatItsBytesPayForIsNotCounted() {
        List<GrownALittle> little = Collections.nCopies(MANY, new GrownALittle((byte) 1, 0));
        assertEquals(little, pass(little, FIRST, HoardsCodec::writeListOfGrownALittle,
                HoardsCodec::readListOfGrownALittle));
        assertTrue(heap <= MOST * bytes, "request=" + bytes + " heap=" + heap);
        List<GrownFromKind> second = Collections.nCopies(MANY, new GrownFromKind((byte) 1, 2, 0, 0, 0));
        assertEquals(second, pass(second, new Fields(1, 1, 0, 2, 1), HoardsCodec::writeListOfGrownFromKind,
                HoardsCodec::readListOfGrownFromKind));
    }
}
