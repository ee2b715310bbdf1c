package org.acme;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;

/** Calls {@link Usual} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class UsualAsyncStub implements UsualAsync {

    static final ResultReader<Void> FIRST = (in, thrown) -> null;
    static final ResultReader.OfInt SECOND = (in, thrown) -> in.readInt();

    private final RpcChannel channel;

    UsualAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Void> first(long value) {
        return beginFirst(value).invokeAsync(FIRST);
    }

    @Override
    public void first(long value, RpcCallback<Void> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Usual/first");
        beginFirst(value).invokeCallback(FIRST, callback);
    }

    @Override
    public CompletableFuture<Integer> second() {
        return beginSecond().invokeAsync(SECOND);
    }

    @Override
    public void second(RpcCallback.OfInt callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Usual/second");
        beginSecond().invokeCallbackInt(SECOND, callback);
    }

    private ClientCall beginFirst(long value) {
        ClientCall call = channel.begin(UsualService.FIRST);
        try {
            call.arguments().writeLong(value);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginSecond() {
        ClientCall call = channel.begin(UsualService.SECOND);
        return call;
    }
}
