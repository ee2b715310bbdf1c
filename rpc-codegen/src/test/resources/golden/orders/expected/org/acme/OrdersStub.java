package org.acme;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Orders} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class OrdersStub implements Orders {

    private final RpcChannel channel;

    OrdersStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public Order find(long id) throws NoSuchOrderException {
        ClientCall call = channel.begin(OrdersService.FIND);
        try {
            call.arguments().writeLong(id);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return switch (call.thrown()) {
                case 0 -> OrdersCodec.readOrder(in);
                case 1 -> throw OrdersCodec.readNoSuchOrderException(in);
                default -> throw OrdersCodec.undeclared(call.thrown(), "org.acme.Orders/find");
            };
        } finally {
            call.close();
        }
    }

    @Override
    public long place(Order order) {
        ClientCall call = channel.begin(OrdersService.PLACE);
        try {
            OrdersCodec.writeOrder(call.arguments(),
                    OrdersCodec.nonNull(order, "order is null: org.acme.Orders/place"));
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
    public CompletableFuture<Long> placeLater(Order order) {
        ClientCall call = channel.begin(OrdersService.PLACE_LATER);
        try {
            OrdersCodec.writeOrder(call.arguments(),
                    OrdersCodec.nonNull(order, "order is null: org.acme.Orders/placeLater"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(OrdersAsyncStub.PLACE_LATER);
    }

    @Override
    public Report report(Query query) {
        ClientCall call = channel.begin(OrdersService.REPORT);
        try {
            OrdersCodec.writeQuery(call.arguments(),
                    OrdersCodec.nonNull(query, "query is null: org.acme.Orders/report"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return OrdersCodec.readReport(in);
        } finally {
            call.close();
        }
    }

    @Override
    public byte[] snapshot(String symbol) {
        ClientCall call = channel.begin(OrdersService.SNAPSHOT);
        try {
            call.arguments().writeString(
                    OrdersCodec.nonNull(symbol, "symbol is null: org.acme.Orders/snapshot"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return in.readBytes();
        } finally {
            call.close();
        }
    }

    @Override
    public void tick(long instrument, double price) {
        ClientCall call = channel.begin(OrdersService.TICK);
        try {
            WireWriter out = call.arguments();
            out.writeLong(instrument);
            out.writeDouble(price);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        call.send();
    }
}
