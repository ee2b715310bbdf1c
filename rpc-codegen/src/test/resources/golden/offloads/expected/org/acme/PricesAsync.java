package org.acme;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;

/** {@link Prices}, answered by futures. A future ends with what the method throws. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
interface PricesAsync {

    CompletableFuture<Long> last(long instrument);

    CompletableFuture<Prices.Quote> quote(String symbol);

    CompletableFuture<List<Prices.Quote>> quotes(Prices.Quote like);

    CompletableFuture<Long> volume(long instrument);
}
