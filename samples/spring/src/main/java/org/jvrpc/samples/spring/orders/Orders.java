package org.jvrpc.samples.spring.orders;

import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** Takes orders. */
@RpcService
public interface Orders {

    /** Places an order and returns its number. */
    long place(Order order) throws RefusedException;

    /** Returns an order by its number. */
    @RpcMethod(idempotent = true)
    Order find(long id);

    /** Returns how many pieces of something are ordered; runs on the server's executor. */
    @RpcMethod(heavy = true, idempotent = true)
    long ordered(String what);
}
