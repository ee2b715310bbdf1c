package org.jvrpc.api.reflection;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/** {@link Reflection}, answered by futures or callbacks. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface ReflectionAsync {

    CompletableFuture<ServiceDescription> describe(String service);

    void describe(String service, RpcCallback<ServiceDescription> callback);

    CompletableFuture<List<String>> services();

    void services(RpcCallback<List<String>> callback);
}
