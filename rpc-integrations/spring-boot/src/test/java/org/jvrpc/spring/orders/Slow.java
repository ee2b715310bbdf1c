package org.jvrpc.spring.orders;

import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

@RpcService
public interface Slow {

    /** Returns what thread it ran on when the test lets it. */
    @RpcMethod(heavy = true, idempotent = true)
    String work(String what);
}
