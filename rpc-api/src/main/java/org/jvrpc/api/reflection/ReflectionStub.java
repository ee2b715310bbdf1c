package org.jvrpc.api.reflection;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;

/** Calls {@link Reflection} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class ReflectionStub implements Reflection {

    private final RpcChannel channel;

    ReflectionStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public ServiceDescription describe(String service) {
        ClientCall call = channel.begin(ReflectionService.DESCRIBE);
        try {
            call.arguments().writeString(
                    ReflectionCodec.nonNull(service, "service is null: org.jvrpc.api.reflection.Reflection/describe"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return ReflectionCodec.readServiceDescription(in);
        } finally {
            call.close();
        }
    }

    @Override
    public List<String> services() {
        ClientCall call = channel.begin(ReflectionService.SERVICES);
        try {
            WireReader in = call.invoke();
            return ReflectionCodec.readListOfString(in);
        } finally {
            call.close();
        }
    }
}
