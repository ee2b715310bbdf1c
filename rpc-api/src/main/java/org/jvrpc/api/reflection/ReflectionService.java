package org.jvrpc.api.reflection;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Reflection}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class ReflectionService implements ServiceDescriptor<Reflection> {

    private static final String NAME = "org.jvrpc.api.reflection.Reflection";

    /** {@code describe(String)} */
    public static final MethodDescriptor DESCRIBE = new MethodDescriptor(
            0,
            NAME,
            "describe",
            "describe(String)org.jvrpc.api.reflection.ServiceDescription"
                    + " org.jvrpc.api.reflection.MethodTraits{heavy:boolean,idempotent:boolean,offload:boolean,"
                    + "deadline:Duration}"
                    + " org.jvrpc.api.reflection.ServiceDescription{descriptor:String,"
                    + "methods:List<org.jvrpc.api.reflection.MethodTraits>}",
            0x3154c59b58161120L,
            false,
            false,
            0L,
            false,
            false);

    /** {@code services()} */
    public static final MethodDescriptor SERVICES = new MethodDescriptor(
            1,
            NAME,
            "services",
            "services()List<String>",
            0xf40a07d52af2c5a6L,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(DESCRIBE, SERVICES);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public ReflectionService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0xd74d95c1b3582f18L;
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
    public Reflection stub(RpcChannel channel) {
        return new ReflectionStub(channel);
    }

    @Override
    public ReflectionAsync asyncStub(RpcChannel channel) {
        return new ReflectionAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return ReflectionAsync.class;
    }

    @Override
    public Skeleton skeleton(Reflection implementation) {
        return new ReflectionSkeleton(implementation);
    }
}
