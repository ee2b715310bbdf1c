package org.acme;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;

/** {@link Prices}, answered by futures or callbacks. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
interface PricesAsync {

    CompletableFuture<Long> last(long instrument);

    void last(long instrument, RpcCallback.OfLong callback);

    CompletableFuture<Prices.Quote> quote(String symbol);

    void quote(String symbol, RpcCallback<Prices.Quote> callback);

    CompletableFuture<List<Prices.Quote>> quotes(Prices.Quote like);

    void quotes(Prices.Quote like, RpcCallback<List<Prices.Quote>> callback);

    CompletableFuture<Long> volume(long instrument);

    void volume(long instrument, RpcCallback.OfLong callback);
}
