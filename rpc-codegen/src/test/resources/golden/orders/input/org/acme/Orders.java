package org.acme;

import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** The service that the quickstart shows. */
@RpcService
public interface Orders {

    long place(Order order);

    @RpcMethod(idempotent = true)
    Order find(long id) throws NoSuchOrderException;

    byte[] snapshot(String symbol);

    @RpcMethod(heavy = true, deadline = "2s")
    Report report(Query query);

    @OneWay
    void tick(long instrument, double price);

    CompletableFuture<Long> placeLater(Order order);
}
