package org.jvrpc.testkit.fault;

import java.util.List;
import java.util.function.Function;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.runtime.invocation.AttemptChannel;
import org.jvrpc.runtime.invocation.AttemptService;

/** A service for a client, attempts of whose stubs suffer. */
final class FaultyService<T> implements ServiceDescriptor<T>, AttemptService {

    private final ServiceDescriptor<?> service;
    private final Function<RpcChannel, T> stubs;
    private final Faults faults;

    FaultyService(ServiceDescriptor<?> service, Function<RpcChannel, T> stubs, Faults faults) {
        this.service = service;
        this.stubs = stubs;
        this.faults = faults;
    }

    @Override
    public AttemptChannel around(AttemptChannel channel) {
        return new FaultyChannel(channel, faults);
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
        return stubs.apply(channel);
    }

    @Override
    public Object asyncStub(RpcChannel channel) {
        return service.asyncStub(channel);
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
