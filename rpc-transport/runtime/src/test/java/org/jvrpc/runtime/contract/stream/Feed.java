package org.jvrpc.runtime.contract.stream;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** Streams of every shape. */
@RpcService
public interface Feed {

    /** A tick. */
    record Tick(long number, String symbol, double price) {
    }

    /** There is no such feed. */
    class NoFeedException extends Exception {

        private static final long serialVersionUID = 1L;
        private final String symbol;

        public NoFeedException(String symbol) {
            super(symbol);
            this.symbol = symbol;
        }

        public String symbol() {
            return symbol;
        }
    }

    /** So many ticks of a symbol; ends with an exception behind them where the symbol is "broken". */
    Flow.Publisher<Tick> ticks(String symbol, long count) throws NoFeedException;

    /** 0, 1, 2 … written by a thread that waits. */
    @RpcMethod(heavy = true)
    Flow.Publisher<Long> count(long count);

    /** Buffers of a length, each filled with its number. */
    @RpcMethod(heavy = true)
    Flow.Publisher<@InPlace ByteBuffer> buffers(int length, int count);

    /** The sum of all, read by a thread that waits. */
    long sum(Flow.Publisher<Long> values);

    /** The sum of the first. */
    long sumOf(Flow.Publisher<Long> values, int most);

    /** How many bytes there were, as they were filled. */
    long measure(Flow.Publisher<@InPlace ByteBuffer> buffers) throws NoFeedException;

    /** The same by a subscriber. */
    CompletableFuture<Long> sumLater(Flow.Publisher<Long> values);

    /** Each line in capitals. */
    @RpcMethod(heavy = true)
    Flow.Publisher<String> shout(Flow.Publisher<String> lines);

    /** The same publisher back. */
    Flow.Publisher<String> mirror(Flow.Publisher<String> lines);

    /** Nothing, and it does not end; one that the test looks at. */
    Flow.Publisher<Long> silence();

    /** Hands out what the test wants. */
    Flow.Publisher<Long> custom();

    /** A call as any other. */
    int add(int a, int b);

    /** Hands its argument to what the test wants, whose result it has. */
    CompletableFuture<Long> consume(Flow.Publisher<Long> values);

    /** The first, waited for where no thread may wait. */
    CompletableFuture<Long> firstByALightHandler(Flow.Publisher<Long> values);

    /** 0, 1, 2 … without an end. */
    @RpcMethod(heavy = true)
    Flow.Publisher<Integer> ints();

    /** The same in doubles. */
    @RpcMethod(heavy = true)
    Flow.Publisher<Double> doubles();

    /** How many bytes there were, none of which is looked at. */
    long skim(Flow.Publisher<@InPlace ByteBuffer> buffers);
}
