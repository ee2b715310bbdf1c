package org.acme;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;

/** Calls {@link Usual} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class UsualAsyncStub implements UsualAsync {

    static final ResultReader<Void> FIRST = (in, thrown) -> null;
    static final ResultReader<Integer> SECOND = (in, thrown) -> in.readInt();

    private final RpcChannel channel;

    UsualAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Void> first(long value) {
        ClientCall call = channel.begin(UsualService.FIRST);
        try {
            call.arguments().writeLong(value);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(FIRST);
    }

    @Override
    public CompletableFuture<Integer> second() {
        ClientCall call = channel.begin(UsualService.SECOND);
        return call.invokeAsync(SECOND);
    }
}
