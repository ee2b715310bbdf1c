package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.build.Sketch;
import org.jvrpc.offload.listing.Drawing;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Place;

/** Lists and draws the lookups over queues of no device, under {@code target/programs}. */
final class PicturesTest {

    private static final int MEMORY = 8192;

    private static Program sketch(LookupKind kind) {
        Sketch sketch = new Sketch();
        ChainQueue[] workers = new ChainQueue[kind.workers()];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = sketch.managed("W" + (i + 1), kind.workerBlocks(false));
        }
        ChainQueue answers = sketch.managed("R", kind.answerBlocks()).receives(1, true);
        return kind.recycled(new LookupQueues(workers, null, answers, sketch.memory(MEMORY), sketch.memory(MEMORY),
                Place.remote(1L << 40, 1, 64, "client's value"), Place.remote(1L << 41, 1, 8, "client's number")));
    }

    @ParameterizedTest
    @EnumSource
    void aLookupIsListedAndDrawnTheSameEachTime(LookupKind kind) throws IOException {
        Program program = sketch(kind);
        String svg = Drawing.svg(program, "lookup, answers again and again without a CPU");
        assertEquals(svg, Drawing.svg(sketch(kind), "lookup, answers again and again without a CPU"));
        assertEquals(program.toString(), sketch(kind).toString());
        String name = "lookup-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
        Path folder = Files.createDirectories(Path.of("target", "programs"));
        Files.writeString(folder.resolve(name + ".svg"), svg);
        Files.writeString(folder.resolve(name + ".txt"), program.toString());
    }
}
