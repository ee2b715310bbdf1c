package org.jvrpc.testkit.fault;

import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** A service for a client whose stubs call by another channel. */
final class FaultyService<T> implements ServiceDescriptor<T> {

    private final ServiceDescriptor<?> service;
    private final Function<RpcChannel, T> stubs;
    private final UnaryOperator<RpcChannel> channels;

    FaultyService(ServiceDescriptor<?> service, Function<RpcChannel, T> stubs, UnaryOperator<RpcChannel> channels) {
        this.service = service;
        this.stubs = stubs;
        this.channels = channels;
    }

    @Override
    public String name() {
        return service.name();
    }

    @Override
    public long fingerprint() {
        return service.fingerprint();
    }

    @Override
    public long objectsFingerprint() {
        return service.objectsFingerprint();
    }

    @Override
    public List<MethodDescriptor> methods() {
        return service.methods();
    }

    @Override
    public List<Class<?>> objectClasses() {
        return service.objectClasses();
    }

    @Override
    public T stub(RpcChannel channel) {
        return stubs.apply(channels.apply(channel));
    }

    @Override
    public Object asyncStub(RpcChannel channel) {
        return service.asyncStub(channels.apply(channel));
    }

    @Override
    public Class<?> asyncInterface() {
        return service.asyncInterface();
    }

    @Override
    public Skeleton skeleton(T implementation) {
        throw new UnsupportedOperationException("this side of " + name() + " calls");
    }
}
