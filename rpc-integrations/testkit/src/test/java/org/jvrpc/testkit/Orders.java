package org.jvrpc.testkit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** A service to be tested. */
@RpcService
public interface Orders {

    /** What is ordered. */
    record Order(long id, String symbol, int lots) {
    }

    /** There is none. */
    final class NoSuchOrderException extends Exception {

        private static final long serialVersionUID = 1L;
        private final long id;

        public NoSuchOrderException(long id) {
            super("no order " + id);
            this.id = id;
        }

        public long id() {
            return id;
        }
    }

    Order find(long id) throws NoSuchOrderException;

    long place(Order order);

    @RpcMethod(idempotent = true)
    @Nullable
    String note(long id);

    @OneWay
    void tick(long instrument, double price);

    CompletableFuture<Long> placeLater(Order order);

    Flow.Publisher<Order> all(String symbol);

    long sum(Flow.Publisher<Long> values);

    @RpcMethod(idempotent = true)
    List<Long> ids(long[] within);

    /** Stays here. */
    default String symbolOf(long id) throws NoSuchOrderException {
        return find(id).symbol();
    }
}
