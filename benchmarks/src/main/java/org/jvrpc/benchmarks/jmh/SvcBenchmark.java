package org.jvrpc.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.jvrpc.ibverbs.rxe.MemoryQueue;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A SEND of two SGEs, header and arguments, whose id and length change with each call: by a stateful verb call that
 * keeps its WQE, and by a WR and a WQE made anew. The driver of rxe over a ring in plain memory; no device.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SvcBenchmark {

    static final int DEPTH = 64;
    static final int HEADER_BYTES = 16;
    static final long HEADER = 0x7f0000001000L;
    static final long ARGUMENTS = 0x7f0000002000L;
    static final int LKEY = 0x1234;
    static final int LENGTH_MASK = 63;

    private MemoryQueue queue;
    private PostSend post;
    private long number;

    /** Makes the queue and the call. */
    @Setup
    public void setUp() {
        queue = new MemoryQueue(DEPTH);
        post = queue.prepareSend(request(0));
    }

    static SendRequest request(long number) {
        return SendRequest.send(number, new Sge(HEADER, HEADER_BYTES, LKEY),
                new Sge(ARGUMENTS, (int) number & LENGTH_MASK, LKEY));
    }

    /** The call is patched. */
    @Benchmark
    public int cached() {
        long next = ++number;
        int accepted = post.wrId(0, next).length(0, 1, (int) next & LENGTH_MASK).execute();
        queue.complete(1);
        return accepted;
    }

    /** The call is made anew. */
    @Benchmark
    public int rebuilt() {
        PostSend fresh = queue.prepareSend(request(++number));
        int accepted = fresh.execute();
        fresh.free();
        queue.complete(1);
        return accepted;
    }
}
