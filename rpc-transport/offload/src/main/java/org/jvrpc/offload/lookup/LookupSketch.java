package org.jvrpc.offload.lookup;

import org.jvrpc.offload.Program;
import org.jvrpc.offload.build.Sketch;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.Place;

/** Lookups over queues of no device: what listings and pictures are made of. */
public final class LookupSketch {

    private static final int VARIABLE_BYTES = 1024;
    private static final int DATA_BYTES = 4096;

    private LookupSketch() {
    }

    /**
     * Returns the program that runs again and again, with the same bytes each time.
     *
     * @param sketch empty
     */
    public static Program of(LookupKind kind, Sketch sketch) {
        return kind.recycled(queues(kind, sketch));
    }

    /** The same for the program for one request. */
    public static Program once(LookupKind kind, Sketch sketch) {
        return kind.once(queues(kind, sketch));
    }

    private static LookupQueues queues(LookupKind kind, Sketch sketch) {
        ChainQueue[] workers = new ChainQueue[kind.workers()];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = sketch.managed("W" + (i + 1), kind.workerBlocks(sketch.prefetches()));
        }
        ChainQueue answers = sketch.managed("A", kind.answerBlocks()).receives(1, true);
        ChainQueue control = sketch.unmanaged("C", 4);
        return new LookupQueues(workers, control, answers, sketch.memory(VARIABLE_BYTES),
                sketch.memory(DATA_BYTES), Place.remote(0xc0040, 0xc01, 256, "client's answer"),
                Place.remote(0xc0000, 0xc01, 8, "client's done word"));
    }
}
