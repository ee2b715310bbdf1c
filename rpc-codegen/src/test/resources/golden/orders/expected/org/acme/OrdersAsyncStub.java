package org.acme;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Orders} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class OrdersAsyncStub implements OrdersAsync {

    static final ResultReader<Order> FIND = OrdersAsyncStub::readFind;
    static final ResultReader.OfLong PLACE = (in, thrown) -> in.readLong();
    static final ResultReader<Long> PLACE_LATER = (in, thrown) -> OrdersCodec.readNullableLong(in);
    static final ResultReader<Report> REPORT = (in, thrown) -> OrdersCodec.readReport(in);
    static final ResultReader<byte[]> SNAPSHOT = (in, thrown) -> in.readBytes();

    private final RpcChannel channel;

    OrdersAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Order> find(long id) {
        return beginFind(id).invokeAsync(FIND);
    }

    @Override
    public void find(long id, RpcCallback<Order> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Orders/find");
        beginFind(id).invokeCallback(FIND, callback);
    }

    @Override
    public CompletableFuture<Long> place(Order order) {
        return beginPlace(order).invokeAsync(PLACE);
    }

    @Override
    public void place(Order order, RpcCallback.OfLong callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Orders/place");
        beginPlace(order).invokeCallbackLong(PLACE, callback);
    }

    @Override
    public CompletableFuture<Long> placeLater(Order order) {
        return beginPlaceLater(order).invokeAsync(PLACE_LATER);
    }

    @Override
    public void placeLater(Order order, RpcCallback<Long> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Orders/placeLater");
        beginPlaceLater(order).invokeCallback(PLACE_LATER, callback);
    }

    @Override
    public CompletableFuture<Report> report(Query query) {
        return beginReport(query).invokeAsync(REPORT);
    }

    @Override
    public void report(Query query, RpcCallback<Report> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Orders/report");
        beginReport(query).invokeCallback(REPORT, callback);
    }

    @Override
    public CompletableFuture<byte[]> snapshot(String symbol) {
        return beginSnapshot(symbol).invokeAsync(SNAPSHOT);
    }

    @Override
    public void snapshot(String symbol, RpcCallback<byte[]> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Orders/snapshot");
        beginSnapshot(symbol).invokeCallback(SNAPSHOT, callback);
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

    private ClientCall beginFind(long id) {
        ClientCall call = channel.begin(OrdersService.FIND);
        try {
            call.arguments().writeLong(id);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private static Order readFind(WireReader in, int thrown) throws NoSuchOrderException {
        return switch (thrown) {
            case 0 -> OrdersCodec.readOrder(in);
            case 1 -> throw OrdersCodec.readNoSuchOrderException(in);
            default -> throw OrdersCodec.undeclared(thrown, "org.acme.Orders/find");
        };
    }

    private ClientCall beginPlace(Order order) {
        ClientCall call = channel.begin(OrdersService.PLACE);
        try {
            OrdersCodec.writeOrder(call.arguments(),
                    OrdersCodec.nonNull(order, "order is null: org.acme.Orders/place"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginPlaceLater(Order order) {
        ClientCall call = channel.begin(OrdersService.PLACE_LATER);
        try {
            OrdersCodec.writeOrder(call.arguments(),
                    OrdersCodec.nonNull(order, "order is null: org.acme.Orders/placeLater"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginReport(Query query) {
        ClientCall call = channel.begin(OrdersService.REPORT);
        try {
            OrdersCodec.writeQuery(call.arguments(),
                    OrdersCodec.nonNull(query, "query is null: org.acme.Orders/report"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginSnapshot(String symbol) {
        ClientCall call = channel.begin(OrdersService.SNAPSHOT);
        try {
            call.arguments().writeString(
                    OrdersCodec.nonNull(symbol, "symbol is null: org.acme.Orders/snapshot"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }
}
