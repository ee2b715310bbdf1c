package org.jvrpc.benchmarks.jvrpc;

import java.nio.ByteBuffer;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.Into;
import org.jvrpc.api.RpcService;

/** What the latency and throughput benchmarks call. */
@RpcService
public interface BenchService {

    /** No arguments, no result. */
    void nothing();

    /** Returns the argument. */
    long same(long value);

    /** Returns the argument. */
    byte[] echo(byte[] payload);

    /** Copies the bytes of {@code in} to {@code out}. */
    void echoBuffer(@InPlace ByteBuffer in, @Into ByteBuffer out);

    /** Returns a number made of the fields of the order. */
    long place(BenchOrder order);

    /** Returns a number made of the fields of the tick. */
    long tick(BenchTick tick);
}
