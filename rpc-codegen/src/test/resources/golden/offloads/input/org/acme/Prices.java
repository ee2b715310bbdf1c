package org.acme;

import java.util.List;
import org.jvrpc.api.Offload;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** Methods that a program may answer, and one that it may not. */
@RpcService
interface Prices {

    record Quote(String symbol, double bid, double ask) {
    }

    @Offload
    long last(long instrument);

    @Offload
    @RpcMethod(deadline = "1ms")
    Quote quote(String symbol) throws IllegalArgumentException;

    @Offload
    List<Quote> quotes(Quote like);

    long volume(long instrument);
}
