package org.jvrpc.runtime.sim;

import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** What simulated clients call: each call has a number of its own, and each method notes that it ran. */
@RpcService
public interface Ledger {

    long light(long number);

    @RpcMethod(heavy = true)
    long heavy(long number);

    /** Answered by another thread, later. */
    CompletableFuture<Long> later(long number);

    /** Fails with NOT_FOUND. */
    long fail(long number);

    /** Returns so many bytes. */
    byte[] fill(long number, int length);

    /** Returns bytes that begin with the number, as many as there are. */
    byte[] bytes(long number, byte[] bytes);

    @OneWay
    void tell(long number);

    @OneWay
    @RpcMethod(heavy = true)
    void tellHeavy(long number);
}
