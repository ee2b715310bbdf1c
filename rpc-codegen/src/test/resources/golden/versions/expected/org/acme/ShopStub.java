package org.acme;

import java.util.List;
import java.util.Map;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Shop} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class ShopStub implements Shop {

    private final RpcChannel channel;

    ShopStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public List<Shop.Item> items(Map<String, Shop.Item> by) throws Shop.SoldOut {
        ClientCall call = channel.begin(ShopService.ITEMS);
        try {
            ShopCodec.writeMapOfStringToItem(call.arguments(),
                    ShopCodec.nonNull(by, "by is null: org.acme.Shop/items"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return switch (call.thrown()) {
                case 0 -> ShopCodec.readListOfItem(in);
                case 1 -> throw ShopCodec.readSoldOut(in);
                default -> throw ShopCodec.undeclared(call.thrown(), "org.acme.Shop/items");
            };
        } finally {
            call.close();
        }
    }

    @Override
    public Shop.Tree tree(Shop.Bare bare, Shop.Box<String> box) {
        ClientCall call = channel.begin(ShopService.TREE);
        try {
            WireWriter out = call.arguments();
            ShopCodec.writeBare(out, ShopCodec.nonNull(bare, "bare is null: org.acme.Shop/tree"));
            ShopCodec.writeBoxOfString(out,
                    ShopCodec.nonNull(box, "box is null: org.acme.Shop/tree"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return ShopCodec.readTree(in);
        } finally {
            call.close();
        }
    }
}
