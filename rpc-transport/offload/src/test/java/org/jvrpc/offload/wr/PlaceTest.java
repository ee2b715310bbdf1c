package org.jvrpc.offload.wr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.build.Sketch;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.verbs.MemoryRegion;

/** Bytes that WRs read or change, their bounds and their names. */
final class PlaceTest {

    private final Sketch sketch = new Sketch();
    private final MemoryRegion region = sketch.memory(64);

    @ParameterizedTest
    @CsvSource({"-1, 8", "57, 8", "65, 0", "64, 1", "9223372036854775807, 1", "9223372036854775807, 2147483647"})
    void bytesOutsideARegionAreRefused(long offset, int length) {
        String message = assertThrows(IndexOutOfBoundsException.class, () -> Place.of(region, offset, length))
                .getMessage();
        assertEquals("offset=" + offset + " length=" + length + " region=64", message);
    }

    @ParameterizedTest
    @CsvSource({"-1, 1", "1, 8", "0, -1", "9, 0", "2147483647, 1", "1, 2147483647"})
    void bytesOutsideAPlaceAreRefused(int from, int count) {
        Place place = Place.of(region, 0, 8);
        String message = assertThrows(IndexOutOfBoundsException.class, () -> place.slice(from, count)).getMessage();
        assertEquals("from=" + from + " count=" + count + " length=8", message);
    }

    @Test
    void theLastBytesAndNoneAreAPlace() {
        assertEquals(region.address() + 56, Place.of(region, 56, 8).address());
        assertEquals(region.address() + 63, Place.of(region, 56, 8).slice(7, 1).address());
        assertEquals(0, Place.of(region, 64, 0).length());
        assertEquals(0, Place.of(region, 56, 8).slice(8, 0).length());
        assertThrows(IllegalArgumentException.class, () -> Place.remote(0, 0, -1, null));
    }

    @Test
    void bytesAcrossTheEndOfARingAreRefused() {
        ChainQueue queue = sketch.managed("W", 2);
        ProgramBuilder builder = new ProgramBuilder("two", region);
        builder.add(queue, Wr.nop());
        WorkRequest last = builder.add(queue, Wr.nop());
        builder.startAll(queue);
        builder.build();
        assertEquals(queue.code().address() + 120, Place.in(last, 56, 8).address());
        String message = assertThrows(IllegalArgumentException.class, () -> Place.in(last, 57, 8).address())
                .getMessage();
        assertEquals("W[1].bytes[57..64] lies across the end of the ring of W", message);
    }

    @Test
    void neighbouringBytesOfOneFieldAreListedAsOne() {
        ChainQueue queue = sketch.managed("W", 4);
        WorkRequest wr = Wr.write(Place.of(region, 0, 8), Place.of(region, 8, 8));
        ProgramBuilder builder = new ProgramBuilder("one", sketch.memory(64));
        builder.add(queue, wr);
        builder.startAll(queue);
        builder.build();
        assertEquals("W[0].raddr[5..7] reversed, W[0].raddr[5..6]", join(wr, 23, 22, 21, 21, 22));
        assertEquals("W[0].raddr[1], W[0].raddr[3], W[0].raddr[5]", join(wr, 17, 19, 21), "no neighbours");
        assertEquals("W[0].raddr[7], W[0].rkey[0]", join(wr, 23, 24), "of two fields");
        assertEquals("W[0].raddr[1..2] reversed, W[0].raddr[2..3]", join(wr, 18, 17, 18, 19), "there and back");
    }

    private static String join(WorkRequest wr, int... offsets) {
        List<Place> bytes = IntStream.of(offsets).mapToObj(at -> Place.in(wr, at, 1)).toList();
        return PlaceNames.join(bytes);
    }

    @Test
    void aFieldIsNamedWithoutItsBytesAndMemoryAsItIs() {
        WorkRequest nop = Wr.nop();
        assertEquals("(in no queue).qpn", PlaceNames.field(Place.in(nop, 5, 1)));
        assertEquals("word:8", PlaceNames.field(Place.of(region, 0, 8, "word")));
        assertEquals("a[1].b:8", PlaceNames.field(Place.of(region, 0, 8, "a[1].b")));
    }
}
