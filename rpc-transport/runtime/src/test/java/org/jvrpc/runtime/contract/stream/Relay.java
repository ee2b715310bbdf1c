package org.jvrpc.runtime.contract.stream;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** Handlers that begin a stream of a server behind. */
@RpcService
public interface Relay {

    /** Does so, and has no answer yet. */
    CompletableFuture<Long> later();

    /** The same by a heavy handler, which is over at once. */
    @RpcMethod(heavy = true)
    void heavily();

    /** The same with a stream, which has no elements. */
    Flow.Publisher<Long> silence();
}
