package org.jvrpc.benchmarks.jvrpc;

import java.nio.ByteBuffer;

/** The implementation: as little as possible. */
public final class BenchHandler implements BenchService {

    @Override
    public void nothing() {
    }

    @Override
    public long same(long value) {
        return value;
    }

    @Override
    public byte[] echo(byte[] payload) {
        return payload;
    }

    @Override
    public void echoBuffer(ByteBuffer in, ByteBuffer out) {
        out.put(in);
    }

    @Override
    public long place(BenchOrder order) {
        return order.digest();
    }

    @Override
    public long tick(BenchTick tick) {
        return tick.instrument() + tick.quantity() + (long) tick.price();
    }
}
