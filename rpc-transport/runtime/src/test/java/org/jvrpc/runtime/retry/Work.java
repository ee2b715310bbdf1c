package org.jvrpc.runtime.retry;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.Into;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** Calls that a server counts by key. */
@RpcService
public interface Work {

    @RpcMethod(idempotent = true)
    long get(long key);

    @RpcMethod(idempotent = true, heavy = true)
    long getHeavy(long key);

    @RpcMethod(idempotent = true)
    CompletableFuture<Long> getLater(long key);

    @RpcMethod(idempotent = true)
    void read(long key, @Into ByteBuffer into);

    @RpcMethod(idempotent = true)
    long sum(long key, @InPlace ByteBuffer bytes);

    @RpcMethod(idempotent = true)
    byte[] echo(long key, byte[] bytes);

    @RpcMethod(idempotent = true)
    long check(long key) throws Refused;

    long put(long key);

    @RpcMethod(heavy = true)
    long putHeavy(long key);

    @OneWay
    void tell(long key, byte[] bytes);

    /** Is declared. */
    final class Refused extends Exception {

        private static final long serialVersionUID = 1L;

        public Refused(String message) {
            super(message);
        }
    }
}
