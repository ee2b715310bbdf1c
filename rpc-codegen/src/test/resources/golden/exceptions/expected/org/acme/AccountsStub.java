package org.acme;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;

/** Calls {@link Accounts} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class AccountsStub implements Accounts {

    private final RpcChannel channel;

    AccountsStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public long byAccessors(long account) throws Overdrawn {
        ClientCall call = channel.begin(AccountsService.BY_ACCESSORS);
        try {
            call.arguments().writeLong(account);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return switch (call.thrown()) {
                case 0 -> in.readLong();
                case 1 -> throw AccountsCodec.readOverdrawn(in);
                default -> throw AccountsCodec.undeclared(call.thrown(), "org.acme.Accounts/byAccessors");
            };
        } finally {
            call.close();
        }
    }

    @Override
    public void byMessage() throws IOException {
        ClientCall call = channel.begin(AccountsService.BY_MESSAGE);
        try {
            WireReader in = call.invoke();
            switch (call.thrown()) {
                case 0 -> {
                }
                case 1 -> throw AccountsCodec.readIOException(in);
                default -> throw AccountsCodec.undeclared(call.thrown(), "org.acme.Accounts/byMessage");
            }
        } finally {
            call.close();
        }
    }

    @Override
    public String deepestFirst(String path) throws IOException, FileNotFoundException, Closed {
        ClientCall call = channel.begin(AccountsService.DEEPEST_FIRST);
        try {
            call.arguments().writeString(
                    AccountsCodec.nonNull(path, "path is null: org.acme.Accounts/deepestFirst"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return switch (call.thrown()) {
                case 0 -> in.readString();
                case 1 -> throw AccountsCodec.readIOException(in);
                case 2 -> throw AccountsCodec.readFileNotFoundException(in);
                case 3 -> throw AccountsCodec.readClosed(in);
                default -> throw AccountsCodec.undeclared(call.thrown(), "org.acme.Accounts/deepestFirst");
            };
        } finally {
            call.close();
        }
    }

    @Override
    public int everything(int number) throws Exception, IllegalArgumentException {
        ClientCall call = channel.begin(AccountsService.EVERYTHING);
        try {
            call.arguments().writeInt(number);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return switch (call.thrown()) {
                case 0 -> in.readInt();
                case 1 -> throw AccountsCodec.readException(in);
                case 2 -> throw AccountsCodec.readIllegalArgumentException(in);
                default -> throw AccountsCodec.undeclared(call.thrown(), "org.acme.Accounts/everything");
            };
        } finally {
            call.close();
        }
    }

    @Override
    public CompletableFuture<String> later(String text) {
        ClientCall call = channel.begin(AccountsService.LATER);
        try {
            call.arguments().writeString(
                    AccountsCodec.nonNull(text, "text is null: org.acme.Accounts/later"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(AccountsAsyncStub.LATER);
    }

    @Override
    public CompletableFuture<Void> laterNothing() {
        ClientCall call = channel.begin(AccountsService.LATER_NOTHING);
        return call.invokeAsync(AccountsAsyncStub.LATER_NOTHING);
    }

    @Override
    public void unchecked() throws IllegalStateException {
        ClientCall call = channel.begin(AccountsService.UNCHECKED);
        try {
            WireReader in = call.invoke();
            switch (call.thrown()) {
                case 0 -> {
                }
                case 1 -> throw AccountsCodec.readIllegalStateException(in);
                default -> throw AccountsCodec.undeclared(call.thrown(), "org.acme.Accounts/unchecked");
            }
        } finally {
            call.close();
        }
    }
}
