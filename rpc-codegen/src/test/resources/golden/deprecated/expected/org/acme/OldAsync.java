package org.acme;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/** {@link Old}, answered by futures or callbacks. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
@SuppressWarnings({"deprecation", "removal"})
public interface OldAsync {

    CompletableFuture<Integer> first(int value);

    void first(int value, RpcCallback.OfInt callback);

    CompletableFuture<Integer> second(int value);

    void second(int value, RpcCallback.OfInt callback);
}
