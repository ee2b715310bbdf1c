package org.acme;

import java.util.List;
import java.util.Map;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Shop} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class ShopSkeleton implements Skeleton {

    private final Shop implementation;

    ShopSkeleton(Shop implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> items(call);
            case 1 -> tree(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "org.acme.Shop has no method index=" + index);
        }
    }

    private void items(ServerCall call) {
        WireReader in = call.arguments();
        Map<String, Shop.Item> by = ShopCodec.readMapOfStringToItem(in);
        List<Shop.Item> result;
        try {
            result = implementation.items(by);
        } catch (Shop.SoldOut e) {
            ShopCodec.writeSoldOut(call.exception(1), e);
            return;
        }
        ShopCodec.writeListOfItem(call.result(),
                ShopCodec.returned(result, "org.acme.Shop/items returned null"));
    }

    private void tree(ServerCall call) {
        WireReader in = call.arguments();
        Shop.Bare bare = ShopCodec.readBare(in);
        Shop.Box<String> box = ShopCodec.readBoxOfString(in);
        Shop.Tree result = implementation.tree(bare, box);
        ShopCodec.writeTree(call.result(),
                ShopCodec.returned(result, "org.acme.Shop/tree returned null"));
    }
}
