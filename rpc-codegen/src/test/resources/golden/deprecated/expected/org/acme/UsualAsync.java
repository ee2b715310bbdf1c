package org.acme;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/** {@link Usual}, answered by futures or callbacks. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
interface UsualAsync {

    CompletableFuture<Void> first(long value);

    void first(long value, RpcCallback<Void> callback);

    CompletableFuture<Integer> second();

    void second(RpcCallback.OfInt callback);
}
