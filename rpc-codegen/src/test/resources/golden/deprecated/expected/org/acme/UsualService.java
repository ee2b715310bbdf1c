package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Usual}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class UsualService implements ServiceDescriptor<Usual> {

    private static final String NAME = "org.acme.Usual";

    /** {@code first(long)} */
    public static final MethodDescriptor FIRST = new MethodDescriptor(
            0,
            NAME,
            "first",
            "first(long)void",
            0x3f3b580d307a33bbL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code second()} */
    public static final MethodDescriptor SECOND = new MethodDescriptor(
            1,
            NAME,
            "second",
            "second()int",
            0x602d65034c6560b2L,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(FIRST, SECOND);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public UsualService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0x6a764ba58848bc3eL;
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
    public Usual stub(RpcChannel channel) {
        return new UsualStub(channel);
    }

    @Override
    public UsualAsync asyncStub(RpcChannel channel) {
        return new UsualAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return UsualAsync.class;
    }

    @Override
    public Skeleton skeleton(Usual implementation) {
        return new UsualSkeleton(implementation);
    }
}
