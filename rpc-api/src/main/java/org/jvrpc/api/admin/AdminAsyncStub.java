package org.jvrpc.api.admin;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;

/** Calls {@link Admin} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class AdminAsyncStub implements AdminAsync {

    static final ResultReader<List<SessionInfo>> SESSIONS = (in, thrown) -> AdminCodec.readListOfSessionInfo(in);
    static final ResultReader<List<Setting>> SETTINGS = (in, thrown) -> AdminCodec.readListOfSetting(in);

    private final RpcChannel channel;

    AdminAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<List<SessionInfo>> sessions() {
        return beginSessions().invokeAsync(SESSIONS);
    }

    @Override
    public void sessions(RpcCallback<List<SessionInfo>> callback) {
        Objects.requireNonNull(callback, "callback is null: org.jvrpc.api.admin.Admin/sessions");
        beginSessions().invokeCallback(SESSIONS, callback);
    }

    @Override
    public CompletableFuture<List<Setting>> settings() {
        return beginSettings().invokeAsync(SETTINGS);
    }

    @Override
    public void settings(RpcCallback<List<Setting>> callback) {
        Objects.requireNonNull(callback, "callback is null: org.jvrpc.api.admin.Admin/settings");
        beginSettings().invokeCallback(SETTINGS, callback);
    }

    private ClientCall beginSessions() {
        ClientCall call = channel.begin(AdminService.SESSIONS);
        return call;
    }

    private ClientCall beginSettings() {
        ClientCall call = channel.begin(AdminService.SETTINGS);
        return call;
    }
}
