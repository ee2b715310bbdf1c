package org.jvrpc.opentelemetry;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** Every kind of call that is traced. */
@RpcService
interface Shop {

    int add(int a, int b);

    @RpcMethod(heavy = true, idempotent = true)
    int addHeavily(int a, int b);

    /** Fails with a status, or with an IllegalStateException for "unchecked". */
    int fail(String how);

    @OneWay
    void tell(String what);

    CompletableFuture<Integer> later(int a);

    Flow.Publisher<Integer> count(int most);

    @RpcMethod(heavy = true)
    long sum(Flow.Publisher<Integer> values);

    /** Calls {@link #add} of the server behind. */
    @RpcMethod(heavy = true)
    int askBehind(int a);
}
