package org.acme;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/** {@link Accounts}, answered by futures or callbacks. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface AccountsAsync {

    CompletableFuture<Long> byAccessors(long account);

    void byAccessors(long account, RpcCallback.OfLong callback);

    CompletableFuture<Void> byMessage();

    void byMessage(RpcCallback<Void> callback);

    CompletableFuture<String> deepestFirst(String path);

    void deepestFirst(String path, RpcCallback<String> callback);

    CompletableFuture<Integer> everything(int number);

    void everything(int number, RpcCallback.OfInt callback);

    CompletableFuture<String> later(String text);

    void later(String text, RpcCallback<String> callback);

    CompletableFuture<Void> laterNothing();

    void laterNothing(RpcCallback<Void> callback);

    CompletableFuture<Void> unchecked();

    void unchecked(RpcCallback<Void> callback);
}
