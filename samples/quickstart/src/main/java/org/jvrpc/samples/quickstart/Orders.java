package org.jvrpc.samples.quickstart;

import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** A book of orders: one method of each kind that jvRPC has. */
@RpcService
public interface Orders {

    /** Places an order and returns its number. The plain kind: the caller waits for the answer. */
    long place(Order order);

    /** Returns an order. @throws NoSuchOrderException when there is none; a declared exception arrives as itself */
    @RpcMethod(idempotent = true)
    Order find(long id) throws NoSuchOrderException;

    /** Returns the latest orders of a symbol as bytes, see {@link Snapshot}; empty for a symbol without orders. */
    @RpcMethod(idempotent = true)
    byte[] snapshot(String symbol);

    /** Sums up. Heavy: runs on the server's executor, so that it holds up nobody; fails when 2 s are over. */
    @RpcMethod(heavy = true, idempotent = true, deadline = "2s")
    Report report(Query query);

    /** Tells a price. One-way: returns when the message is on its way, there is no answer. */
    @OneWay
    void tick(long instrument, double price);

    /** Places an order, asynchronously: many calls may be in flight from one thread. */
    CompletableFuture<Long> placeLater(Order order);
}
