package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Prices} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class PricesSkeleton implements Skeleton {

    private final Prices implementation;

    PricesSkeleton(Prices implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> last(call);
            case 1 -> quote(call);
            case 2 -> quotes(call);
            case 3 -> volume(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.acme.Prices has no method index=" + index);
        }
    }

    private void last(ServerCall call) {
        WireReader in = call.arguments();
        long instrument = in.readLong();
        long result = implementation.last(instrument);
        call.result().writeLong(result);
    }

    private void quote(ServerCall call) {
        WireReader in = call.arguments();
        String symbol = in.readString();
        Prices.Quote result;
        try {
            result = implementation.quote(symbol);
        } catch (IllegalArgumentException e) {
            PricesCodec.writeIllegalArgumentException(call.exception(1), e);
            return;
        }
        PricesCodec.writeQuote(call.result(),
                PricesCodec.returned(result, "org.acme.Prices/quote returned null"));
    }

    private void quotes(ServerCall call) {
        WireReader in = call.arguments();
        Prices.Quote like = PricesCodec.readQuote(in);
        List<Prices.Quote> result = implementation.quotes(like);
        PricesCodec.writeListOfQuote(call.result(),
                PricesCodec.returned(result, "org.acme.Prices/quotes returned null"));
    }

    private void volume(ServerCall call) {
        WireReader in = call.arguments();
        long instrument = in.readLong();
        long result = implementation.volume(instrument);
        call.result().writeLong(result);
    }
}
