package org.acme;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/** {@link Orders}, answered by futures or callbacks. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface OrdersAsync {

    CompletableFuture<Order> find(long id);

    void find(long id, RpcCallback<Order> callback);

    CompletableFuture<Long> place(Order order);

    void place(Order order, RpcCallback.OfLong callback);

    CompletableFuture<Long> placeLater(Order order);

    void placeLater(Order order, RpcCallback<Long> callback);

    CompletableFuture<Report> report(Query query);

    void report(Query query, RpcCallback<Report> callback);

    CompletableFuture<byte[]> snapshot(String symbol);

    void snapshot(String symbol, RpcCallback<byte[]> callback);

    void tick(long instrument, double price);
}
