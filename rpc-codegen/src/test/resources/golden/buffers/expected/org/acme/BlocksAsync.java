package org.acme;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.RpcCallback;

/**
 * {@link Blocks}, answered by futures or callbacks. A future ends with what the method throws.
 *
 * <p>Left out, because they fill a buffer of a caller who waits: {@code copy}, {@code read}, {@code readSome}.
 */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public interface BlocksAsync {

    void prefetch(@InPlace ByteBuffer blocks);

    CompletableFuture<Long> write(long block, @InPlace ByteBuffer bytes);

    void write(long block, @InPlace ByteBuffer bytes, RpcCallback.OfLong callback);
}
