package org.acme;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;

/** {@link Orders}, answered by futures. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface OrdersAsync {

    CompletableFuture<Order> find(long id);

    CompletableFuture<Long> place(Order order);

    CompletableFuture<Long> placeLater(Order order);

    CompletableFuture<Report> report(Query query);

    CompletableFuture<byte[]> snapshot(String symbol);

    void tick(long instrument, double price);
}
