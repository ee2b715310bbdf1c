package org.jvrpc.spring.client;

import java.util.List;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.stub.StreamCall;

/** The channel of a stub that is made before its client has connected: the first call does that. Many threads. */
final class LazyChannel implements RpcChannel {

    private final LazyClient client;
    private final ServiceDescriptor<?> service;
    private final CallOptions options;
    private volatile RpcChannel bound;

    LazyChannel(LazyClient client, ServiceDescriptor<?> service, CallOptions options) {
        this.client = client;
        this.service = service;
        this.options = options;
    }

    @Override
    public ClientCall begin(MethodDescriptor method) {
        RpcChannel channel = bound;
        return (channel != null ? channel : bind()).begin(method);
    }

    @Override
    public StreamCall beginStream(MethodDescriptor method) {
        RpcChannel channel = bound;
        return (channel != null ? channel : bind()).beginStream(method);
    }

    /** Threads that come at once bind one channel each, the last of which stays: they are equal. */
    private RpcChannel bind() {
        RpcChannel channel = client.get().stub(new ChannelOf<>(service), options);
        bound = channel;
        return channel;
    }

    /** A service whose stub is the bare channel. */
    private record ChannelOf<T>(ServiceDescriptor<T> service) implements ServiceDescriptor<RpcChannel> {

        @Override
        public String name() {
            return service.name();
        }

        @Override
        public long fingerprint() {
            return service.fingerprint();
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
        public long objectsFingerprint() {
            return service.objectsFingerprint();
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
            throw new UnsupportedOperationException("only called: " + name());
        }
    }
}
