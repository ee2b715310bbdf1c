package org.jvrpc.recording.dynamic;

import java.util.List;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/**
 * A service without generated code for a server, whose implementation takes calls as they come: all of them are light,
 * so that it must not wait. Many threads.
 */
public final class ServedService implements ServiceDescriptor<Skeleton> {

    private final DynamicService service;
    private final List<MethodDescriptor> methods;

    /** @param service what clients find */
    public ServedService(DynamicService service) {
        this.service = service;
        this.methods = service.methods().stream().map(ServedService::light).toList();
    }

    private static MethodDescriptor light(MethodDescriptor of) {
        return new MethodDescriptor(of.index(), of.service(), of.name(), of.signature(), of.fingerprint(), false,
                of.oneWay(), of.deadlineNs(), false, of.idempotent(), of.streams());
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
        return methods;
    }

    @Override
    public List<Class<?>> objectClasses() {
        return List.of();
    }

    @Override
    public Skeleton stub(RpcChannel channel) {
        throw new UnsupportedOperationException("this side of " + name() + " serves");
    }

    @Override
    public Object asyncStub(RpcChannel channel) {
        return stub(channel);
    }

    @Override
    public Class<?> asyncInterface() {
        return Skeleton.class;
    }

    @Override
    public Skeleton skeleton(Skeleton implementation) {
        return implementation;
    }
}
