package org.acme;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Shop} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class ShopAsyncStub implements ShopAsync {

    static final ResultReader<List<Shop.Item>> ITEMS = ShopAsyncStub::readItems;
    static final ResultReader<Shop.Tree> TREE = (in, thrown) -> ShopCodec.readTree(in);

    private final RpcChannel channel;

    ShopAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<List<Shop.Item>> items(Map<String, Shop.Item> by) {
        return beginItems(by).invokeAsync(ITEMS);
    }

    @Override
    public void items(Map<String, Shop.Item> by, RpcCallback<List<Shop.Item>> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Shop/items");
        beginItems(by).invokeCallback(ITEMS, callback);
    }

    @Override
    public CompletableFuture<Shop.Tree> tree(Shop.Bare bare, Shop.Box<String> box) {
        return beginTree(bare, box).invokeAsync(TREE);
    }

    @Override
    public void tree(Shop.Bare bare, Shop.Box<String> box, RpcCallback<Shop.Tree> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Shop/tree");
        beginTree(bare, box).invokeCallback(TREE, callback);
    }

    private ClientCall beginItems(Map<String, Shop.Item> by) {
        ClientCall call = channel.begin(ShopService.ITEMS);
        try {
            ShopCodec.writeMapOfStringToItem(call.arguments(),
                    ShopCodec.nonNull(by, "by is null: org.acme.Shop/items"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private static List<Shop.Item> readItems(WireReader in, int thrown) throws Shop.SoldOut {
        return switch (thrown) {
            case 0 -> ShopCodec.readListOfItem(in);
            case 1 -> throw ShopCodec.readSoldOut(in);
            default -> throw ShopCodec.undeclared(thrown, "org.acme.Shop/items");
        };
    }

    private ClientCall beginTree(Shop.Bare bare, Shop.Box<String> box) {
        ClientCall call = channel.begin(ShopService.TREE);
        try {
            WireWriter out = call.arguments();
            ShopCodec.writeBare(out, ShopCodec.nonNull(bare, "bare is null: org.acme.Shop/tree"));
            ShopCodec.writeBoxOfString(out,
                    ShopCodec.nonNull(box, "box is null: org.acme.Shop/tree"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }
}
