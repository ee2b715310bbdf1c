package org.acme;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

@RpcService
public interface Feed {

    /** A tick. */
    record Tick(long instrument, double price) {
    }

    /** Which side. */
    enum Side { BID, ASK }

    /** No such instrument. */
    class UnknownException extends Exception {
        private static final long serialVersionUID = 1L;
        private final long instrument;

        public UnknownException(long instrument) {
            this.instrument = instrument;
        }

        public long instrument() {
            return instrument;
        }
    }

    Flow.Publisher<Tick> ticks(String symbol, int depth);

    Flow.Publisher<Long> count();

    Flow.Publisher<Side> sides(long instrument) throws UnknownException;

    Flow.Publisher<@InPlace ByteBuffer> read(String path);

    long upload(String path, Flow.Publisher<@InPlace ByteBuffer> chunks);

    double average(Flow.Publisher<Double> values) throws UnknownException;

    CompletableFuture<Long> sum(Flow.Publisher<Integer> values);

    @RpcMethod(heavy = true, deadline = "2s")
    Flow.Publisher<String> chat(Flow.Publisher<String> lines);

    Flow.Publisher<List<Tick>> batches(Flow.Publisher<ByteBuffer> raw, boolean all);
}
