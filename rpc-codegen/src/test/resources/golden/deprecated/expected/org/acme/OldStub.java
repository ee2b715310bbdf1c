package org.acme;

import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;

/** Calls {@link Old} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
@SuppressWarnings({"deprecation", "removal"})
final class OldStub implements Old {

    private final RpcChannel channel;

    OldStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public int first(int value) {
        ClientCall call = channel.begin(OldService.FIRST);
        try {
            call.arguments().writeInt(value);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return in.readInt();
        } finally {
            call.close();
        }
    }

    @Override
    public int second(int value) {
        ClientCall call = channel.begin(OldService.SECOND);
        try {
            call.arguments().writeInt(value);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return in.readInt();
        } finally {
            call.close();
        }
    }
}
