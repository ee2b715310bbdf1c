package org.acme;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;

/** Calls {@link Prices} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class PricesAsyncStub implements PricesAsync {

    static final ResultReader.OfLong LAST = (in, thrown) -> in.readLong();
    static final ResultReader<Prices.Quote> QUOTE = PricesAsyncStub::readQuote;
    static final ResultReader<List<Prices.Quote>> QUOTES = (in, thrown) -> PricesCodec.readListOfQuote(in);
    static final ResultReader.OfLong VOLUME = (in, thrown) -> in.readLong();

    private final RpcChannel channel;

    PricesAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Long> last(long instrument) {
        return beginLast(instrument).invokeAsync(LAST);
    }

    @Override
    public void last(long instrument, RpcCallback.OfLong callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Prices/last");
        beginLast(instrument).invokeCallbackLong(LAST, callback);
    }

    @Override
    public CompletableFuture<Prices.Quote> quote(String symbol) {
        return beginQuote(symbol).invokeAsync(QUOTE);
    }

    @Override
    public void quote(String symbol, RpcCallback<Prices.Quote> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Prices/quote");
        beginQuote(symbol).invokeCallback(QUOTE, callback);
    }

    @Override
    public CompletableFuture<List<Prices.Quote>> quotes(Prices.Quote like) {
        return beginQuotes(like).invokeAsync(QUOTES);
    }

    @Override
    public void quotes(Prices.Quote like, RpcCallback<List<Prices.Quote>> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Prices/quotes");
        beginQuotes(like).invokeCallback(QUOTES, callback);
    }

    @Override
    public CompletableFuture<Long> volume(long instrument) {
        return beginVolume(instrument).invokeAsync(VOLUME);
    }

    @Override
    public void volume(long instrument, RpcCallback.OfLong callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Prices/volume");
        beginVolume(instrument).invokeCallbackLong(VOLUME, callback);
    }

    private ClientCall beginLast(long instrument) {
        ClientCall call = channel.begin(PricesService.LAST);
        try {
            call.arguments().writeLong(instrument);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginQuote(String symbol) {
        ClientCall call = channel.begin(PricesService.QUOTE);
        try {
            call.arguments().writeString(
                    PricesCodec.nonNull(symbol, "symbol is null: org.acme.Prices/quote"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private static Prices.Quote readQuote(WireReader in, int thrown)
            throws IllegalArgumentException {
        return switch (thrown) {
            case 0 -> PricesCodec.readQuote(in);
            case 1 -> throw PricesCodec.readIllegalArgumentException(in);
            default -> throw PricesCodec.undeclared(thrown, "org.acme.Prices/quote");
        };
    }

    private ClientCall beginQuotes(Prices.Quote like) {
        ClientCall call = channel.begin(PricesService.QUOTES);
        try {
            PricesCodec.writeQuote(call.arguments(),
                    PricesCodec.nonNull(like, "like is null: org.acme.Prices/quotes"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginVolume(long instrument) {
        ClientCall call = channel.begin(PricesService.VOLUME);
        try {
            call.arguments().writeLong(instrument);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }
}
