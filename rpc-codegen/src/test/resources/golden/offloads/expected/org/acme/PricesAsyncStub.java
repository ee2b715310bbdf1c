package org.acme;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;

/** Calls {@link Prices} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class PricesAsyncStub implements PricesAsync {

    static final ResultReader<Long> LAST = (in, thrown) -> in.readLong();
    static final ResultReader<Prices.Quote> QUOTE = PricesAsyncStub::readQuote;
    static final ResultReader<List<Prices.Quote>> QUOTES = (in, thrown) -> PricesCodec.readListOfQuote(in);
    static final ResultReader<Long> VOLUME = (in, thrown) -> in.readLong();

    private final RpcChannel channel;

    PricesAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Long> last(long instrument) {
        ClientCall call = channel.begin(PricesService.LAST);
        try {
            call.arguments().writeLong(instrument);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(LAST);
    }

    @Override
    public CompletableFuture<Prices.Quote> quote(String symbol) {
        ClientCall call = channel.begin(PricesService.QUOTE);
        try {
            call.arguments().writeString(
                    PricesCodec.nonNull(symbol, "symbol is null: org.acme.Prices/quote"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(QUOTE);
    }

    @Override
    public CompletableFuture<List<Prices.Quote>> quotes(Prices.Quote like) {
        ClientCall call = channel.begin(PricesService.QUOTES);
        try {
            PricesCodec.writeQuote(call.arguments(),
                    PricesCodec.nonNull(like, "like is null: org.acme.Prices/quotes"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(QUOTES);
    }

    @Override
    public CompletableFuture<Long> volume(long instrument) {
        ClientCall call = channel.begin(PricesService.VOLUME);
        try {
            call.arguments().writeLong(instrument);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(VOLUME);
    }

    private static Prices.Quote readQuote(WireReader in, int thrown)
            throws IllegalArgumentException {
        return switch (thrown) {
            case 0 -> PricesCodec.readQuote(in);
            case 1 -> throw PricesCodec.readIllegalArgumentException(in);
            default -> throw PricesCodec.undeclared(thrown, "org.acme.Prices/quote");
        };
    }
}
