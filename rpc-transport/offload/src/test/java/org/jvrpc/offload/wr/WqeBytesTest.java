package org.jvrpc.offload.wr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.build.Sketch;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.verbs.MemoryRegion;

/** WQEs byte for byte: the hash get of RedN's public benchmark, with this project's numbers, and every other verb. */
final class WqeBytesTest {

    private final Sketch sketch = new Sketch();

    /** Returns a WQE as hexadecimal segments of 16 bytes, without the zeros at its end. */
    private static List<String> segments(WorkRequest wr) {
        List<String> segments = new ArrayList<>();
        long[] words = wr.words();
        for (int i = 0; i < words.length; i += 2) {
            segments.add(String.format("%016x %016x", words[i], words[i + 1]));
        }
        while (segments.get(segments.size() - 1).equals("0000000000000000 0000000000000000")) {
            segments.remove(segments.size() - 1);
        }
        return segments;
    }

    private static void expect(WorkRequest wr, String... segments) {
        assertEquals(List.of(segments), segments(wr), wr.toString());
    }

    @Test
    void theHashGetOfRedNHasItsBytes() {
        ChainQueue worker = sketch.managed("worker", 16); // code at 0x100000, keys 0x100 and 0x101, QPN 0x11
        ChainQueue client = sketch.managed("client", 1).receives(1, false); // code at 0x200000, QPN 0x12
        MemoryRegion table = sketch.memory(4096); // at 0x300000
        Place answer = Place.remote(0x7f0000001000L, 0xabcd, 64, "client's buffer");
        ProgramBuilder builder = new ProgramBuilder("hash get", sketch.memory(256)); // at 0x400000
        WorkRequest write = Wr.writeImmediate(1, answer, Place.of(table, 256, 64)).dormant();
        WorkRequest read = Wr.read(Place.of(table, 0, 11),
                write.field(Field.QPN), write.data(0, Field.DATA_ADDRESS));
        WorkRequest compare = Wr.turnOn(write, 0).fenced().signalled();
        WorkRequest trigger = builder.add(
                client, Wr.trigger(Wr.lowOperand(compare), read.field(Field.REMOTE_ADDRESS)));
        WorkRequest first = builder.add(worker, Wr.await(trigger));
        WorkRequest second = Wr.enable(read);
        builder.add(worker, second);
        builder.add(worker, read);
        builder.add(worker, compare);
        WorkRequest wait = builder.add(worker, Wr.await(compare));
        WorkRequest enable = builder.add(worker, Wr.enable(write));
        builder.add(client, write);
        builder.start(Wr.enable(enable));
        Program program = builder.build();

        assertEquals(6, program.words(worker).length / 8);
        expect(first, "0000000f00001102 0000000000000000", "0000000000000000 0000000000000004");
        expect(second, "0000011700001102 0000000000000000", "0000000000000000 0000000300000011");
        expect(read, "0000021000001104 0000000000000000",
                "0000000000300000 0000030100000000",
                "0000000300000200 0000000000200004",
                "0000000800000200 0000000000200028");
        expect(compare, "0000031100001104 0000008800000000",
                "0000000000200000 0000020100000000",
                "0312000009000000 0300000000000000", // swap and compare: the ctrl's bytes from last to first
                "0000000800000400 0000000000400000");
        expect(wait, "0000040f00001102 0000000000000000", "0000000000000000 0000000000000001");
        expect(enable, "0000051700001102 0000000000000000", "0000000000000000 0000000100000012");
        expect(write, "0000000000000003 0000000000000001",
                "00007f0000001000 0000abcd00000000",
                "0000004000000300 0000000000300100");
        assertEquals("worker[3].compare[1..3]", Wr.lowOperand(compare).toString());
    }

    @Test
    void theOtherVerbsHaveTheirBytes() {
        ChainQueue queue = sketch.managed("Q", 64);
        ChainQueue receiver = sketch.managed("T", 1).receives(4, true);
        Place data = Place.of(sketch.memory(256), 0, 256); // at 0x300000
        ProgramBuilder builder = new ProgramBuilder("all", sketch.memory(256));
        WorkRequest trigger = builder.add(receiver, Wr.trigger(data.slice(0, 8)));
        WorkRequest receive = builder.add(queue, Wr.enable(trigger));
        WorkRequest send = builder.add(queue, Wr.send(data.slice(0, 4), data.slice(8, 1)));
        WorkRequest sendImmediate = builder.add(queue, Wr.sendImmediate(-2, data.slice(0, 4)));
        WorkRequest max = builder.add(
                queue, Wr.calculate(Calculation.MAX, data.slice(0, 8), data.slice(8, 16), data.slice(32, 8)));
        WorkRequest add = builder.add(queue, Wr.fetchAndAdd(data.slice(8, 8), 3, data.slice(16, 8)));
        WorkRequest fields = builder.add(queue,
                Wr.maskedFetchAndAdd(data.slice(8, 8), 3, 0x8000800080008000L, data.slice(16, 8)));
        WorkRequest masked = builder.add(queue,
                Wr.maskedCompareAndSwap(data.slice(8, 8), 1, 2, 0xf, 0xff, data.slice(16, 8)));
        WorkRequest nop = builder.add(queue, Wr.nop().signalled());
        WorkRequest number = builder.add(queue, Wr.await(receiver.receiveCq(), 7));
        WorkRequest blocks = builder.add(queue, Wr.enableBlocks(queue, 40));
        builder.startAll(queue);
        builder.build();

        expect(receive, "0000001600001102 0000000000000000", "0000000000000000 0000000100000012");
        expect(send, "0000010a00001103 0000000000000000",
                "0000000400000300 0000000000300000", "0000000100000300 0000000000300008");
        expect(sendImmediate, "0000020b00001102 00000000fffffffe", "0000000400000300 0000000000300000");
        expect(max, "0300030800001104 0000000000000000", "0000000000300000 0000030100000000",
                "0000001000000300 0000000000300008", "0000000800000300 0000000000300020");
        expect(add, "0000041200001104 0000000000000000", "0000000000300008 0000030100000000",
                "0000000000000003 0000000000000000", "0000000800000300 0000000000300010");
        expect(fields, "0900051500001104 0000000000000000", "0000000000300008 0000030100000000",
                "0000000000000003 8000800080008000", "0000000800000300 0000000000300010");
        expect(masked, "0900061400001105 0000000000000000", "0000000000300008 0000030100000000",
                "0000000000000002 0000000000000001", "00000000000000ff 000000000000000f",
                "0000000800000300 0000000000300010");
        expect(nop, "0000080000001101 0000000800000000");
        expect(number, "0000090f00001102 0000000000000000", "0000000000000000 0000000700000004");
        expect(blocks, "00000a1700001102 0000000000000000", "0000000000000000 0000002800000011");
    }

    @Test
    void aSketchIsNotLoaded() {
        ChainQueue queue = sketch.managed("Q", 2);
        ProgramBuilder builder = new ProgramBuilder("sketch", sketch.memory(64));
        builder.add(queue, Wr.nop());
        builder.startAll(queue);
        Program program = builder.build();
        IllegalStateException refusal = assertThrows(IllegalStateException.class, program::load);
        assertEquals("queue Q is a sketch: it has no QP", refusal.getMessage());
    }
}
