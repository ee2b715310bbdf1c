package org.acme;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/** {@link Shop}, answered by futures or callbacks. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface ShopAsync {

    CompletableFuture<List<Shop.Item>> items(Map<String, Shop.Item> by);

    void items(Map<String, Shop.Item> by, RpcCallback<List<Shop.Item>> callback);

    CompletableFuture<Shop.Tree> tree(Shop.Bare bare, Shop.Box<String> box);

    void tree(Shop.Bare bare, Shop.Box<String> box, RpcCallback<Shop.Tree> callback);
}
