package org.acme;

import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;

/** Calls {@link Usual} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class UsualStub implements Usual {

    private final RpcChannel channel;

    UsualStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public void first(long value) {
        ClientCall call = channel.begin(UsualService.FIRST);
        try {
            call.arguments().writeLong(value);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            call.invoke();
        } finally {
            call.close();
        }
    }

    @Override
    public int second() {
        ClientCall call = channel.begin(UsualService.SECOND);
        try {
            WireReader in = call.invoke();
            return in.readInt();
        } finally {
            call.close();
        }
    }
}
