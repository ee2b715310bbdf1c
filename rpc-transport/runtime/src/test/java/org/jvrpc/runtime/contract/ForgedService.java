package org.jvrpc.runtime.contract;

import java.util.List;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;

/** Has the name and fingerprint of {@link Calls}, and other types. */
public final class ForgedService implements ServiceDescriptor<Forged> {

    private final CallsService honest = new CallsService();

    @Override
    public String name() {
        return honest.name();
    }

    @Override
    public long fingerprint() {
        return honest.fingerprint();
    }

    @Override
    public List<MethodDescriptor> methods() {
        return honest.methods();
    }

    @Override
    public List<Class<?>> objectClasses() {
        return honest.objectClasses();
    }

    private static <T> T graph(RpcChannel channel, Object argument, Class<T> type) {
        ClientCall call = channel.begin(CallsService.GRAPH);
        try {
            call.arguments().writeObject(argument);
            return call.invoke().readObject(type);
        } finally {
            call.close();
        }
    }

    @Override
    public Forged stub(RpcChannel channel) {
        return new Forged() {
            @Override
            public String graphAsText(Calls.Node node) {
                return graph(channel, node, String.class);
            }

            @Override
            public Calls.Node textAsGraph(String text) {
                return graph(channel, text, Calls.Node.class);
            }
        };
    }

    @Override
    public Object asyncStub(RpcChannel channel) {
        throw new UnsupportedOperationException("asyncStub");
    }

    @Override
    public Class<?> asyncInterface() {
        return Forged.class;
    }

    @Override
    public Skeleton skeleton(Forged implementation) {
        throw new UnsupportedOperationException("skeleton");
    }
}
