package org.acme;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Orders} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class OrdersSkeleton implements Skeleton {

    private static final ServerCall.ResultWriter<Long> PLACE_LATER =
            OrdersSkeleton::writePlaceLater;

    private final Orders implementation;

    OrdersSkeleton(Orders implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> find(call);
            case 1 -> place(call);
            case 2 -> placeLater(call);
            case 3 -> report(call);
            case 4 -> snapshot(call);
            case 5 -> tick(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.acme.Orders has no method index=" + index);
        }
    }

    private void find(ServerCall call) {
        WireReader in = call.arguments();
        long id = in.readLong();
        Order result;
        try {
            result = implementation.find(id);
        } catch (NoSuchOrderException e) {
            OrdersCodec.writeNoSuchOrderException(call.exception(1), e);
            return;
        }
        OrdersCodec.writeOrder(call.result(),
                OrdersCodec.returned(result, "org.acme.Orders/find returned null"));
    }

    private void place(ServerCall call) {
        WireReader in = call.arguments();
        Order order = OrdersCodec.readOrder(in);
        long result = implementation.place(order);
        call.result().writeLong(result);
    }

    private void placeLater(ServerCall call) {
        WireReader in = call.arguments();
        Order order = OrdersCodec.readOrder(in);
        CompletableFuture<Long> result = implementation.placeLater(order);
        call.completeLater(result, PLACE_LATER);
    }

    private void report(ServerCall call) {
        WireReader in = call.arguments();
        Query query = OrdersCodec.readQuery(in);
        Report result = implementation.report(query);
        OrdersCodec.writeReport(call.result(),
                OrdersCodec.returned(result, "org.acme.Orders/report returned null"));
    }

    private void snapshot(ServerCall call) {
        WireReader in = call.arguments();
        String symbol = in.readString();
        byte[] result = implementation.snapshot(symbol);
        call.result().writeBytes(
                OrdersCodec.returned(result, "org.acme.Orders/snapshot returned null"));
    }

    private void tick(ServerCall call) {
        WireReader in = call.arguments();
        long instrument = in.readLong();
        double price = in.readDouble();
        implementation.tick(instrument, price);
    }

    private static void writePlaceLater(ServerCall call, Long result, Throwable thrown)
            throws Throwable {
        if (thrown != null) {
            throw OrdersCodec.unwrapped(thrown);
        }
        OrdersCodec.writeNullableLong(call.result(), result);
    }
}
