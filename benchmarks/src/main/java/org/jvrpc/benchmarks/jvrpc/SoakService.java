package org.jvrpc.benchmarks.jvrpc;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.Into;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** Calls of every shape, whose answers follow from their arguments. */
@RpcService
public interface SoakService {

    /** Returns the sum. */
    long add(long a, long b);

    /** Returns the bytes in reverse order. */
    byte[] reverse(byte[] payload);

    /** Returns the text twice. */
    String twice(String text);

    /** Returns the sum of the digests. */
    long digest(List<BenchOrder> orders);

    /** Returns the orders by id, each quantity increased by one. */
    Map<Long, BenchOrder> more(List<BenchOrder> orders);

    /** Returns the largest, or nothing of nothing. */
    Optional<Double> largest(double[] values);

    /** Returns half of an even number and refuses an odd one. */
    int half(int value) throws OddNumberException;

    /** Copies the bytes, each plus one. */
    int increment(@InPlace ByteBuffer in, @Into ByteBuffer out);

    /** Returns the number mixed, from the server's executor. */
    @RpcMethod(heavy = true)
    long mix(long value);

    /** An odd number has no half. */
    final class OddNumberException extends Exception {

        private static final long serialVersionUID = 1L;

        /** Names the number. */
        public OddNumberException(String message) {
            super(message);
        }
    }
}
