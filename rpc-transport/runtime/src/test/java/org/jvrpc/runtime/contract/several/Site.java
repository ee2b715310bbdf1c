package org.jvrpc.runtime.contract.several;

import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** Says which server answered. */
@RpcService
public interface Site {

    String name();

    CompletableFuture<String> nameLater();

    @RpcMethod(idempotent = true)
    long twice(long number);

    @RpcMethod(idempotent = true)
    CompletableFuture<Long> twiceLater(long number);

    /** Waits for the gate. */
    @RpcMethod(heavy = true)
    String hold();

    /** Fails with a status. */
    void fail(String status);
}
