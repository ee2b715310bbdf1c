package org.acme;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/**
 * {@link Feed}, answered by futures or callbacks. A future ends with what the method throws.
 *
 * <p>Left out, because they return a stream and wait for nothing: {@code batches}, {@code chat}, {@code count}, {@code read}, {@code sides}, {@code ticks}.
 */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface FeedAsync {

    CompletableFuture<Double> average(Flow.Publisher<Double> values);

    void average(Flow.Publisher<Double> values, RpcCallback.OfDouble callback);

    CompletableFuture<Long> sum(Flow.Publisher<Integer> values);

    void sum(Flow.Publisher<Integer> values, RpcCallback<Long> callback);

    CompletableFuture<Long> upload(String path, Flow.Publisher<ByteBuffer> chunks);

    void upload(String path, Flow.Publisher<ByteBuffer> chunks, RpcCallback.OfLong callback);
}
