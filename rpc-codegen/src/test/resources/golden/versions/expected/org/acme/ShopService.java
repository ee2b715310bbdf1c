package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Shop}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class ShopService implements ServiceDescriptor<Shop> {

    private static final String NAME = "org.acme.Shop";

    /** {@code items(Map<String, Shop.Item>)} */
    public static final MethodDescriptor ITEMS = new MethodDescriptor(
            0,
            NAME,
            "items",
            "items(Map<String,"
                    + "org.acme.Shop.Item>)List<org.acme.Shop.Item> throws org.acme.Shop.SoldOut{id:long,"
                    + "wait@2:Duration?}"
                    + " org.acme.Shop.Item{id:long,kind:org.acme.Shop.Kind,note@1:String?,stock@1:int,"
                    + "maker@2:Optional<String>,other@2:org.acme.Shop.Kind?,size@3:OptionalInt<int>,"
                    + "times@3:List<Duration>?}"
                    + " org.acme.Shop.Kind[BOOK,OTHER,FILM]",
            0xd4754530a413f576L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code tree(Shop.Bare, Shop.Box<String>)} */
    public static final MethodDescriptor TREE = new MethodDescriptor(
            1,
            NAME,
            "tree",
            "tree(org.acme.Shop.Bare,org.acme.Shop.Box<java.lang.String>)org.acme.Shop.Tree"
                    + " org.acme.Shop.Bare{a@1:boolean,b@1:byte,c@2:short,d@2:char,e@3:float,f@3:double,g@3:long}"
                    + " org.acme.Shop.Box<java.lang.String>{value:String,next@2:String?}"
                    + " org.acme.Shop.Tree{name:String,left@2:org.acme.Shop.Tree?,"
                    + "others@2:List<org.acme.Shop.Tree>?}",
            0x496f6f850171c9afL,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(ITEMS, TREE);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public ShopService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0xe7fcce904a4203f4L;
    }

    @Override
    public List<MethodDescriptor> methods() {
        return METHODS;
    }

    @Override
    public List<Class<?>> objectClasses() {
        return OBJECT_CLASSES;
    }

    @Override
    public Shop stub(RpcChannel channel) {
        return new ShopStub(channel);
    }

    @Override
    public ShopAsync asyncStub(RpcChannel channel) {
        return new ShopAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return ShopAsync.class;
    }

    @Override
    public Skeleton skeleton(Shop implementation) {
        return new ShopSkeleton(implementation);
    }
}
