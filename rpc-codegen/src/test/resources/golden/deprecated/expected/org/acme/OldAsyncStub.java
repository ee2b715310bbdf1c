package org.acme;

import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;

/** Calls {@link Old} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
@SuppressWarnings({"deprecation", "removal"})
final class OldAsyncStub implements OldAsync {

    static final ResultReader<Integer> FIRST = (in, thrown) -> in.readInt();
    static final ResultReader<Integer> SECOND = (in, thrown) -> in.readInt();

    private final RpcChannel channel;

    OldAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Integer> first(int value) {
        ClientCall call = channel.begin(OldService.FIRST);
        try {
            call.arguments().writeInt(value);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(FIRST);
    }

    @Override
    public CompletableFuture<Integer> second(int value) {
        ClientCall call = channel.begin(OldService.SECOND);
        try {
            call.arguments().writeInt(value);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(SECOND);
    }
}
