package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Prices}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class PricesService implements ServiceDescriptor<Prices> {

    private static final String NAME = "org.acme.Prices";

    /** {@code last(long)} */
    public static final MethodDescriptor LAST = new MethodDescriptor(
            0,
            NAME,
            "last",
            "last(long)long",
            0xc75cd830fee49d2eL,
            false,
            false,
            0L,
            true,
            false);

    /** {@code quote(String)} */
    public static final MethodDescriptor QUOTE = new MethodDescriptor(
            1,
            NAME,
            "quote",
            "quote(String)org.acme.Prices.Quote throws java.lang.IllegalArgumentException{message:Strin"
                    + "g?}"
                    + " org.acme.Prices.Quote{symbol:String,bid:double,ask:double}",
            0xcd3f5fece852735eL,
            false,
            false,
            1000000L,
            true,
            false);

    /** {@code quotes(Prices.Quote)} */
    public static final MethodDescriptor QUOTES = new MethodDescriptor(
            2,
            NAME,
            "quotes",
            "quotes(org.acme.Prices.Quote)List<org.acme.Prices.Quote>"
                    + " org.acme.Prices.Quote{symbol:String,bid:double,ask:double}",
            0xb263662c8a7998f7L,
            false,
            false,
            0L,
            true,
            false);

    /** {@code volume(long)} */
    public static final MethodDescriptor VOLUME = new MethodDescriptor(
            3,
            NAME,
            "volume",
            "volume(long)long",
            0xfa800c24a373b64bL,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(LAST, QUOTE, QUOTES, VOLUME);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public PricesService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0x0d50b2aed244f2ecL;
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
    public Prices stub(RpcChannel channel) {
        return new PricesStub(channel);
    }

    @Override
    public PricesAsync asyncStub(RpcChannel channel) {
        return new PricesAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return PricesAsync.class;
    }

    @Override
    public Skeleton skeleton(Prices implementation) {
        return new PricesSkeleton(implementation);
    }
}
