package org.jvrpc.benchmarks.jmh;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jvrpc.benchmarks.jvrpc.BenchHandler;
import org.jvrpc.benchmarks.jvrpc.BenchOrder;
import org.jvrpc.benchmarks.jvrpc.BenchService;
import org.jvrpc.benchmarks.jvrpc.BenchTick;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Whole calls with server and client in one JVM, so that the profiler counts what both sides allocate. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AllocBenchmark {

    private static final int BUFFER_BYTES = 64;

    private final BenchOrder order = BenchOrder.of(1);
    private final BenchTick tick = new BenchTick(1, 2, 3);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private RpcServer server;
    private RpcClient client;
    private BenchService stub;
    private long number;

    /** Starts both sides. */
    @Setup
    public void setUp() {
        String address = "shm://bench-alloc-" + ProcessHandle.current().pid();
        server = RpcServer.builder().bind(address).service(BenchService.class, new BenchHandler()).start();
        client = RpcClient.connect(address);
        stub = client.stub(BenchService.class);
    }

    /** Ends both sides. */
    @TearDown
    public void tearDown() {
        client.close();
        server.close();
    }

    /** No arguments, no result. */
    @Benchmark
    public void nothing() {
        stub.nothing();
    }

    /** 8 bytes there and back. */
    @Benchmark
    public long primitive() {
        return stub.same(++number);
    }

    /** Buffers of the caller's. */
    @Benchmark
    public int buffer() {
        out.clear();
        stub.echoBuffer(in, out);
        return out.position();
    }

    /** A record of fixed size, which the server makes anew. */
    @Benchmark
    public long tick() {
        return stub.tick(tick);
    }

    /** A record with a String, which the server makes anew. */
    @Benchmark
    public long record() {
        return stub.place(order);
    }
}
