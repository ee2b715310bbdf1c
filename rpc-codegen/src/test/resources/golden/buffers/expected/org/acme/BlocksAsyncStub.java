package org.acme;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.InPlace;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Blocks} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class BlocksAsyncStub implements BlocksAsync {

    static final ResultReader.OfLong WRITE = (in, thrown) -> in.readLong();

    private final RpcChannel channel;

    BlocksAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public void prefetch(@InPlace ByteBuffer blocks) {
        ClientCall call = channel.begin(BlocksService.PREFETCH);
        try {
            call.arguments().writeBuffer(
                    BlocksCodec.nonNull(blocks, "blocks is null: org.acme.Blocks/prefetch"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        call.send();
    }

    @Override
    public CompletableFuture<Long> write(long block, @InPlace ByteBuffer bytes) {
        return beginWrite(block, bytes).invokeAsync(WRITE);
    }

    @Override
    public void write(long block, @InPlace ByteBuffer bytes, RpcCallback.OfLong callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Blocks/write");
        beginWrite(block, bytes).invokeCallbackLong(WRITE, callback);
    }

    private ClientCall beginWrite(long block, @InPlace ByteBuffer bytes) {
        ClientCall call = channel.begin(BlocksService.WRITE);
        try {
            WireWriter out = call.arguments();
            out.writeLong(block);
            out.writeBuffer(BlocksCodec.nonNull(bytes, "bytes is null: org.acme.Blocks/write"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }
}
