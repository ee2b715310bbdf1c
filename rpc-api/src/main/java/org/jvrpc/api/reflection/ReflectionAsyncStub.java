package org.jvrpc.api.reflection;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;

/** Calls {@link Reflection} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class ReflectionAsyncStub implements ReflectionAsync {

    static final ResultReader<ServiceDescription> DESCRIBE = (in, thrown) -> ReflectionCodec.readServiceDescription(in);
    static final ResultReader<List<String>> SERVICES = (in, thrown) -> ReflectionCodec.readListOfString(in);

    private final RpcChannel channel;

    ReflectionAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<ServiceDescription> describe(String service) {
        return beginDescribe(service).invokeAsync(DESCRIBE);
    }

    @Override
    public void describe(String service, RpcCallback<ServiceDescription> callback) {
        Objects.requireNonNull(callback, "callback is null: org.jvrpc.api.reflection.Reflection/describe");
        beginDescribe(service).invokeCallback(DESCRIBE, callback);
    }

    @Override
    public CompletableFuture<List<String>> services() {
        return beginServices().invokeAsync(SERVICES);
    }

    @Override
    public void services(RpcCallback<List<String>> callback) {
        Objects.requireNonNull(callback, "callback is null: org.jvrpc.api.reflection.Reflection/services");
        beginServices().invokeCallback(SERVICES, callback);
    }

    private ClientCall beginDescribe(String service) {
        ClientCall call = channel.begin(ReflectionService.DESCRIBE);
        try {
            call.arguments().writeString(
                    ReflectionCodec.nonNull(service, "service is null: org.jvrpc.api.reflection.Reflection/describe"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginServices() {
        ClientCall call = channel.begin(ReflectionService.SERVICES);
        return call;
    }
}
