package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;

/** Calls {@link Prices} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class PricesStub implements Prices {

    private final RpcChannel channel;

    PricesStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public long last(long instrument) {
        ClientCall call = channel.begin(PricesService.LAST);
        try {
            call.arguments().writeLong(instrument);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return in.readLong();
        } finally {
            call.close();
        }
    }

    @Override
    public Prices.Quote quote(String symbol) throws IllegalArgumentException {
        ClientCall call = channel.begin(PricesService.QUOTE);
        try {
            call.arguments().writeString(
                    PricesCodec.nonNull(symbol, "symbol is null: org.acme.Prices/quote"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return switch (call.thrown()) {
                case 0 -> PricesCodec.readQuote(in);
                case 1 -> throw PricesCodec.readIllegalArgumentException(in);
                default -> throw PricesCodec.undeclared(call.thrown(), "org.acme.Prices/quote");
            };
        } finally {
            call.close();
        }
    }

    @Override
    public List<Prices.Quote> quotes(Prices.Quote like) {
        ClientCall call = channel.begin(PricesService.QUOTES);
        try {
            PricesCodec.writeQuote(call.arguments(),
                    PricesCodec.nonNull(like, "like is null: org.acme.Prices/quotes"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return PricesCodec.readListOfQuote(in);
        } finally {
            call.close();
        }
    }

    @Override
    public long volume(long instrument) {
        ClientCall call = channel.begin(PricesService.VOLUME);
        try {
            call.arguments().writeLong(instrument);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return in.readLong();
        } finally {
            call.close();
        }
    }
}
