package org.jvrpc.api.health;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** What both sides know of {@link Health}. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
public final class HealthService implements ServiceDescriptor<Health> {

    private static final String NAME = "org.jvrpc.api.health.Health";

    /** {@code check(String)} */
    public static final MethodDescriptor CHECK = new MethodDescriptor(
            0,
            NAME,
            "check",
            "check(String)org.jvrpc.api.health.ServingStatus"
                    + " org.jvrpc.api.health.ServingStatus[UNKNOWN,SERVING,NOT_SERVING,SERVICE_UNKNOWN]",
            0x38da2032844a2e1cL,
            false,
            false,
            0L,
            false,
            false);

    /** {@code watch(String, ServingStatus)} */
    public static final MethodDescriptor WATCH = new MethodDescriptor(
            1,
            NAME,
            "watch",
            "watch(String,org.jvrpc.api.health.ServingStatus)org.jvrpc.api.health.ServingStatus"
                    + " org.jvrpc.api.health.ServingStatus[UNKNOWN,SERVING,NOT_SERVING,SERVICE_UNKNOWN]",
            0xf34bd92a1ae21d98L,
            false,
            false,
            0L,
            false,
            false);

    private static final List<MethodDescriptor> METHODS = List.of(CHECK, WATCH);
    private static final List<Class<?>> OBJECT_CLASSES = List.of();

    /** For {@link ServiceDescriptor#of}. */
    public HealthService() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long fingerprint() {
        return 0xc21e6d3a312175e9L;
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
    public Health stub(RpcChannel channel) {
        return new HealthStub(channel);
    }

    @Override
    public HealthAsync asyncStub(RpcChannel channel) {
        return new HealthAsyncStub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return HealthAsync.class;
    }

    @Override
    public Skeleton skeleton(Health implementation) {
        return new HealthSkeleton(implementation);
    }
}
