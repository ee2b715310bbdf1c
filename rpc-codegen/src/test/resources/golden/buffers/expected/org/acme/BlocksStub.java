package org.acme;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Blocks} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class BlocksStub implements Blocks {

    private final RpcChannel channel;

    BlocksStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public int copy(ByteBuffer from, ByteBuffer into) {
        ClientCall call = channel.begin(BlocksService.COPY);
        try {
            WireWriter out = call.arguments();
            out.writeBuffer(BlocksCodec.nonNull(from, "from is null: org.acme.Blocks/copy"));
            out.writeInt(BlocksCodec.nonNull(into, "into is null: org.acme.Blocks/copy").remaining());
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            in.readInto(into);
            return in.readInt();
        } finally {
            call.close();
        }
    }

    @Override
    public void prefetch(ByteBuffer blocks) {
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
    public void read(long block, ByteBuffer into) {
        ClientCall call = channel.begin(BlocksService.READ);
        try {
            WireWriter out = call.arguments();
            out.writeLong(block);
            out.writeInt(BlocksCodec.nonNull(into, "into is null: org.acme.Blocks/read").remaining());
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            in.readInto(into);
        } finally {
            call.close();
        }
    }

    @Override
    public int readSome(ByteBuffer into, long block) throws IOException {
        ClientCall call = channel.begin(BlocksService.READ_SOME);
        try {
            WireWriter out = call.arguments();
            out.writeInt(BlocksCodec.nonNull(into, "into is null: org.acme.Blocks/readSome").remaining());
            out.writeLong(block);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            switch (call.thrown()) {
                case 0 -> {
                }
                case 1 -> throw BlocksCodec.readIOException(in);
                default -> throw BlocksCodec.undeclared(call.thrown(), "org.acme.Blocks/readSome");
            }
            in.readInto(into);
            return in.readInt();
        } finally {
            call.close();
        }
    }

    @Override
    public long write(long block, ByteBuffer bytes) {
        ClientCall call = channel.begin(BlocksService.WRITE);
        try {
            WireWriter out = call.arguments();
            out.writeLong(block);
            out.writeBuffer(BlocksCodec.nonNull(bytes, "bytes is null: org.acme.Blocks/write"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return in.readLong();
        } finally {
            call.close();
        }
    }
}
