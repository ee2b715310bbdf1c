package org.jvrpc.api.admin;

import java.util.List;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;

/** Calls {@link Admin} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class AdminStub implements Admin {

    private final RpcChannel channel;

    AdminStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public List<SessionInfo> sessions() {
        ClientCall call = channel.begin(AdminService.SESSIONS);
        try {
            WireReader in = call.invoke();
            return AdminCodec.readListOfSessionInfo(in);
        } finally {
            call.close();
        }
    }

    @Override
    public List<Setting> settings() {
        ClientCall call = channel.begin(AdminService.SETTINGS);
        try {
            WireReader in = call.invoke();
            return AdminCodec.readListOfSetting(in);
        } finally {
            call.close();
        }
    }
}
