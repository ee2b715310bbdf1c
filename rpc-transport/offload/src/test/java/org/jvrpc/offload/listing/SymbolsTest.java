package org.jvrpc.offload.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.build.Sketch;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.Wr;

/** What addresses are called. */
final class SymbolsTest {

    private final Sketch sketch = new Sketch();

    /** The second program over a ring: its first WQE crosses the end of the ring. */
    @Test
    void eachByteOfARingIsNamedByTheWqeThatHasItsBlock() {
        ChainQueue queue = sketch.managed("W", 4);
        ProgramBuilder before = new ProgramBuilder("before", sketch.memory(64));
        for (int i = 0; i < 3; i++) {
            before.add(queue, Wr.nop());
        }
        before.startAll(queue);
        before.build();
        Place data = Place.of(sketch.memory(64), 0, 64);
        ProgramBuilder builder = new ProgramBuilder("across", sketch.memory(64));
        builder.add(queue, Wr.read(data.slice(0, 3), data.slice(8, 1), data.slice(16, 1), data.slice(24, 1)));
        builder.add(queue, Wr.write(data.slice(0, 8), data.slice(8, 8)));
        builder.startAll(queue);
        Symbols symbols = Symbols.of(builder.build());
        long ring = queue.code().address();

        assertEquals("W[3].image", symbols.name(ring + 3 * Wqe.BLOCK, 8));
        assertEquals("W[3].data[2].length", symbols.name(ring, 4), "behind the end of the ring");
        assertEquals("W[3].data[2].address", symbols.name(ring + 8, 8), "behind the end of the ring");
        assertEquals("W[1].raddr", symbols.name(ring + Wqe.BLOCK + Wqe.REMOTE, 8));
        assertEquals("W[2]+40", symbols.name(ring + 2 * Wqe.BLOCK + 40, 8), "the program has nothing there");
        assertEquals("0x" + Long.toHexString(ring + 4 * Wqe.BLOCK), symbols.name(ring + 4 * Wqe.BLOCK, 8),
                "behind the ring");
        assertEquals("0x" + Long.toHexString(ring - 1), symbols.name(ring - 1, 1), "before the ring");
    }

    @Test
    void theMemoryOfAProgramHasItsNames() {
        ChainQueue queue = sketch.managed("W", 1);
        ProgramBuilder builder = new ProgramBuilder("named", sketch.memory(64));
        Place count = builder.variable("count", 8, 8);
        builder.add(queue, Wr.nop());
        builder.startAll(queue);
        Symbols symbols = Symbols.of(builder.build());
        assertEquals("count", symbols.name(count.address(), 8));
        assertEquals("count+4", symbols.name(count.address() + 4, 4));
    }

    @Test
    void ofNamesForTheSameMemoryTheFirstIsTaken() {
        Symbols symbols = new Symbols();
        symbols.data("first", 64, 8);
        symbols.data("second", 64, 8);
        assertEquals("first", symbols.name(64, 8));
    }
}
