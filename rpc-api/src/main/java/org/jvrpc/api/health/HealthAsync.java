package org.jvrpc.api.health;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/** {@link Health}, answered by futures or callbacks. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface HealthAsync {

    CompletableFuture<ServingStatus> check(String service);

    void check(String service, RpcCallback<ServingStatus> callback);

    CompletableFuture<ServingStatus> watch(String service, ServingStatus known);

    void watch(String service, ServingStatus known, RpcCallback<ServingStatus> callback);
}
