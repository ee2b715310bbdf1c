package org.jvrpc.recording.dynamic;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.reflection.MethodTraits;
import org.jvrpc.api.schema.MethodSchema;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.stub.StreamKind;

/** A service without generated code: what is known is its schema. The stub is the channel. */
public final class DynamicService implements ServiceDescriptor<RpcChannel> {

    private static final String STREAM = "stream of ";

    private final ServiceSchema schema;
    private final List<MethodDescriptor> methods = new ArrayList<>();

    /** @param traits by index; none where they are not known */
    public DynamicService(ServiceSchema schema, List<MethodTraits> traits) {
        this.schema = schema;
        for (int i = 0; i < schema.methods().size(); i++) {
            methods.add(descriptor(i, schema.methods().get(i), i < traits.size() ? traits.get(i) : null));
        }
    }

    /** What the server says of its own fingerprint stands for all methods', which are not compared then. */
    private MethodDescriptor descriptor(int index, MethodSchema method, MethodTraits traits) {
        boolean argument = method.parameters().stream().anyMatch(type -> type.startsWith(STREAM));
        boolean result = method.result().startsWith(STREAM);
        StreamKind streams = argument ? result ? StreamKind.BOTH : StreamKind.ARGUMENT
                : result ? StreamKind.RESULT : StreamKind.NONE;
        return new MethodDescriptor(index, schema.name(), method.name(), method.signature(), 0,
                traits != null && traits.heavy(), method.oneWay(), 0, false, traits != null && traits.idempotent(),
                streams);
    }

    /** Returns what is known. */
    public ServiceSchema schema() {
        return schema;
    }

    @Override
    public String name() {
        return schema.name();
    }

    @Override
    public long fingerprint() {
        return schema.fingerprint();
    }

    @Override
    public long objectsFingerprint() {
        return schema.objects();
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
    public RpcChannel stub(RpcChannel channel) {
        return channel;
    }

    @Override
    public Object asyncStub(RpcChannel channel) {
        return channel;
    }

    @Override
    public Class<?> asyncInterface() {
        return RpcChannel.class;
    }

    @Override
    public Skeleton skeleton(RpcChannel implementation) {
        throw new UnsupportedOperationException("nobody serves " + name() + " without its code");
    }
}
