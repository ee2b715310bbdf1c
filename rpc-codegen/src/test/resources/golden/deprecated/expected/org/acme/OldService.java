package org.acme;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Old}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
@SuppressWarnings({"deprecation", "removal"})
public final class OldService implements ServiceDescriptor<Old> {

    private static final String NAME = "org.acme.Old";

    /** {@code first(int)} */
    public static final MethodDescriptor FIRST = new MethodDescriptor(
            0,
            NAME,
            "first",
            "first(int)int",
            0x47f78bcba4d00d1cL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code second(int)} */
    public static final MethodDescriptor SECOND = new MethodDescriptor(
            1,
            NAME,
            "second",
            "second(int)int",
            0xf7bc7d0eba750b66L,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(FIRST, SECOND);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public OldService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0x08ce7c501f07bebaL;
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
    public Old stub(RpcChannel channel) {
        return new OldStub(channel);
    }

    @Override
    public OldAsync asyncStub(RpcChannel channel) {
        return new OldAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return OldAsync.class;
    }

    @Override
    public Skeleton skeleton(Old implementation) {
        return new OldSkeleton(implementation);
    }
}
