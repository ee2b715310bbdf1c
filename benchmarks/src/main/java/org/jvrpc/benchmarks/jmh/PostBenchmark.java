package org.jvrpc.benchmarks.jmh;

import com.kenai.jffi.Library;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jvrpc.benchmarks.rdma.CLoop;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Layouts.Context;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.Ops;
import org.jvrpc.ibverbs.binding.WorkLayouts.SendWr;
import org.jvrpc.ibverbs.rxe.MemoryQueue;
import org.jvrpc.verbs.PostSend;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The same SEND as {@link SvcBenchmark#cached}, posted by Java into a ring in memory, and by a native call for each
 * post: of the binding's post_send, to a function that does what a provider does with the same ring. Neither rings a
 * device's doorbell.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PostBenchmark {

    private static final int SGES = SendWr.BYTES;
    private static final int SECOND = SGES + 16;
    private static final int LENGTH = 8;
    private static final int LKEY = 12;
    private static final int BAD = SGES + 32;

    private MemoryQueue queue;
    private PostSend post;
    private Ops ops;
    private Native block;
    private long number;

    /** Makes both queues; the provider is compiled. */
    @Setup
    public void setUp() throws IOException {
        queue = new MemoryQueue(SvcBenchmark.DEPTH);
        post = queue.prepareSend(SvcBenchmark.request(0));
        Native context = Native.allocate(Context.BYTES).putLong(Context.POST_SEND, provider());
        ops = new Ops(context.address());
        block = Native.allocate(BAD + 8);
        block.putLong(SendWr.SG_LIST, block.address() + SGES).putInt(SendWr.NUM_SGE, 2)
                .putInt(SendWr.OPCODE, Ibv.WR_SEND);
        block.putLong(SGES, SvcBenchmark.HEADER).putInt(SGES + LENGTH, SvcBenchmark.HEADER_BYTES)
                .putInt(SGES + LKEY, SvcBenchmark.LKEY);
        block.putLong(SECOND, SvcBenchmark.ARGUMENTS).putInt(SECOND + LKEY, SvcBenchmark.LKEY);
    }

    private static long provider() throws IOException {
        Path folder = Files.createTempDirectory("jvrpc-bench-provider-");
        try {
            Path file = CLoop.compile(folder, "provider", "-O2", "-shared", "-fPIC");
            Library library = Library.getCachedInstance(file.toString(), Library.NOW | Library.LOCAL);
            if (library == null) {
                throw new IOException("cannot load " + file + ": " + Library.getLastError());
            }
            return library.getSymbolAddress("post");
        } finally {
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    /** By Java alone. */
    @Benchmark
    public int java() {
        long next = ++number;
        int accepted = post.wrId(0, next).length(0, 1, (int) next & SvcBenchmark.LENGTH_MASK).execute();
        queue.complete(1);
        return accepted;
    }

    /** By a native call. */
    @Benchmark
    public int nativeCall() {
        long next = ++number;
        ByteBuffer memory = block.buffer();
        memory.putLong(SendWr.WR_ID, next);
        memory.putInt(SECOND + LENGTH, (int) next & SvcBenchmark.LENGTH_MASK);
        return ops.ibv_post_send(block.address(), block.address(), block.address() + BAD);
    }
}
