package org.acme;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;

/** {@link Accounts}, answered by futures. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface AccountsAsync {

    CompletableFuture<Long> byAccessors(long account);

    CompletableFuture<Void> byMessage();

    CompletableFuture<String> deepestFirst(String path);

    CompletableFuture<Integer> everything(int number);

    CompletableFuture<String> later(String text);

    CompletableFuture<Void> laterNothing();

    CompletableFuture<Void> unchecked();
}
