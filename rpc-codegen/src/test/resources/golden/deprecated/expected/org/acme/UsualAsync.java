package org.acme;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;

/** {@link Usual}, answered by futures. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
interface UsualAsync {

    CompletableFuture<Void> first(long value);

    CompletableFuture<Integer> second();
}
