package org.jvrpc.runtime.contract;

import java.util.List;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.Offload;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** Lookups that programs may answer, of several signatures, and the changes behind them. */
@RpcService
public interface Quotes {

    /** A price at a time. */
    record Quote(long instrument, double price, String venue) {
    }

    /** What quotes are asked for. */
    record Query(String venue, int depth) {
    }

    /** There is no such instrument. */
    final class Unknown extends Exception {

        private static final long serialVersionUID = 1L;

        public Unknown(String message) {
            super(message);
        }
    }

    @Offload
    long last(long instrument);

    @Offload
    Quote quote(long instrument) throws Unknown;

    @Offload
    @Nullable String name(String symbol);

    @Offload
    @RpcMethod(deadline = "20s")
    List<Quote> book(Query query);

    @Offload
    byte[] document(String name);

    /** As {@link #last}, by the server. */
    long lastOfServer(long instrument);

    /** Not for programs, of the name of one that is. */
    long last(long instrument, int back);

    /** How often the server's implementation was asked. */
    long asked();
}
