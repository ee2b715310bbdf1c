package org.acme;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;

/** {@link Old}, answered by futures. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
@SuppressWarnings({"deprecation", "removal"})
public interface OldAsync {

    CompletableFuture<Integer> first(int value);

    CompletableFuture<Integer> second(int value);
}
