package org.jvrpc.benchmarks.jvrpc;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The implementation. Clients run it too, to know the right answers. */
public final class SoakHandler implements SoakService {

    @Override
    public long add(long a, long b) {
        return a + b;
    }

    @Override
    public byte[] reverse(byte[] payload) {
        byte[] reversed = new byte[payload.length];
        for (int i = 0; i < payload.length; i++) {
            reversed[i] = payload[payload.length - 1 - i];
        }
        return reversed;
    }

    @Override
    public String twice(String text) {
        return text + text;
    }

    @Override
    public long digest(List<BenchOrder> orders) {
        return orders.stream().mapToLong(BenchOrder::digest).sum();
    }

    @Override
    public Map<Long, BenchOrder> more(List<BenchOrder> orders) {
        Map<Long, BenchOrder> byId = new HashMap<>();
        for (BenchOrder order : orders) {
            byId.put(order.id(), new BenchOrder(order.id(), order.account(), order.quantity() + 1, order.price(),
                    order.side(), order.symbol()));
        }
        return byId;
    }

    @Override
    public Optional<Double> largest(double[] values) {
        OptionalDouble largest = Arrays.stream(values).max();
        return largest.isPresent() ? Optional.of(largest.getAsDouble()) : Optional.empty();
    }

    @Override
    public int half(int value) throws OddNumberException {
        if ((value & 1) != 0) {
            throw new OddNumberException("value=" + value);
        }
        return value / 2;
    }

    @Override
    public int increment(ByteBuffer in, ByteBuffer out) {
        int length = in.remaining();
        for (int i = 0; i < length; i++) {
            out.put((byte) (in.get() + 1));
        }
        return length;
    }

    @Override
    public long mix(long value) {
        return Long.rotateLeft(value * 0x9e3779b97f4a7c15L, 31) ^ value;
    }
}
