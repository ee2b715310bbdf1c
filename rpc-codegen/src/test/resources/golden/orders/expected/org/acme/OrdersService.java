package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Orders}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class OrdersService implements ServiceDescriptor<Orders> {

    private static final String NAME = "org.acme.Orders";

    /** {@code find(long)} */
    public static final MethodDescriptor FIND = new MethodDescriptor(
            0,
            NAME,
            "find",
            "find(long)org.acme.Order throws org.acme.NoSuchOrderException{id:long}"
                    + " org.acme.Leg{instrument:long,ratio:int}"
                    + " org.acme.Order{id:long,symbol:String,side:org.acme.Side,quantity:int,price:double,"
                    + "legs:List<org.acme.Leg>}"
                    + " org.acme.Side[BUY,SELL]",
            0x46da304c5ea65584L,
            false,
            false,
            0L,
            false,
            true);

    /** {@code place(Order)} */
    public static final MethodDescriptor PLACE = new MethodDescriptor(
            1,
            NAME,
            "place",
            "place(org.acme.Order)long"
                    + " org.acme.Leg{instrument:long,ratio:int}"
                    + " org.acme.Order{id:long,symbol:String,side:org.acme.Side,quantity:int,price:double,"
                    + "legs:List<org.acme.Leg>}"
                    + " org.acme.Side[BUY,SELL]",
            0xea22298869a8ddacL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code placeLater(Order)} */
    public static final MethodDescriptor PLACE_LATER = new MethodDescriptor(
            2,
            NAME,
            "placeLater",
            "placeLater(org.acme.Order)long?"
                    + " org.acme.Leg{instrument:long,ratio:int}"
                    + " org.acme.Order{id:long,symbol:String,side:org.acme.Side,quantity:int,price:double,"
                    + "legs:List<org.acme.Leg>}"
                    + " org.acme.Side[BUY,SELL]",
            0xaa783eb8d3af60f7L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code report(Query)} */
    public static final MethodDescriptor REPORT = new MethodDescriptor(
            3,
            NAME,
            "report",
            "report(org.acme.Query)org.acme.Report"
                    + " org.acme.Query{symbol:String,from:long,to:long}"
                    + " org.acme.Report{orders:long,volume:double,bySymbol:Map<String,long?>}",
            0x6c19560e08cffdfdL,
            true,
            false,
            2000000000L,
            false,
            false);

    /** {@code snapshot(String)} */
    public static final MethodDescriptor SNAPSHOT = new MethodDescriptor(
            4,
            NAME,
            "snapshot",
            "snapshot(String)byte[]",
            0x5c53f09ab57480a3L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code tick(long, double)} */
    public static final MethodDescriptor TICK = new MethodDescriptor(
            5,
            NAME,
            "tick",
            "tick(long,double)void oneway",
            0x47f2fc76a82df543L,
            false,
            true,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(FIND, PLACE, PLACE_LATER, REPORT,
            SNAPSHOT, TICK);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public OrdersService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0x8853c3bddf5c6444L;
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
    public Orders stub(RpcChannel channel) {
        return new OrdersStub(channel);
    }

    @Override
    public OrdersAsync asyncStub(RpcChannel channel) {
        return new OrdersAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return OrdersAsync.class;
    }

    @Override
    public Skeleton skeleton(Orders implementation) {
        return new OrdersSkeleton(implementation);
    }
}
