package org.acme;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;

/** Calls {@link Old} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
@SuppressWarnings({"deprecation", "removal"})
final class OldAsyncStub implements OldAsync {

    static final ResultReader.OfInt FIRST = (in, thrown) -> in.readInt();
    static final ResultReader.OfInt SECOND = (in, thrown) -> in.readInt();

    private final RpcChannel channel;

    OldAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Integer> first(int value) {
        return beginFirst(value).invokeAsync(FIRST);
    }

    @Override
    public void first(int value, RpcCallback.OfInt callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Old/first");
        beginFirst(value).invokeCallbackInt(FIRST, callback);
    }

    @Override
    public CompletableFuture<Integer> second(int value) {
        return beginSecond(value).invokeAsync(SECOND);
    }

    @Override
    public void second(int value, RpcCallback.OfInt callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Old/second");
        beginSecond(value).invokeCallbackInt(SECOND, callback);
    }

    private ClientCall beginFirst(int value) {
        ClientCall call = channel.begin(OldService.FIRST);
        try {
            call.arguments().writeInt(value);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginSecond(int value) {
        ClientCall call = channel.begin(OldService.SECOND);
        try {
            call.arguments().writeInt(value);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }
}
