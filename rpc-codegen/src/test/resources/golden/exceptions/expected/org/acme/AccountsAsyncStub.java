package org.acme;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;

/** Calls {@link Accounts} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class AccountsAsyncStub implements AccountsAsync {

    static final ResultReader.OfLong BY_ACCESSORS = AccountsAsyncStub::readByAccessors;
    static final ResultReader<Void> BY_MESSAGE = AccountsAsyncStub::readByMessage;
    static final ResultReader<String> DEEPEST_FIRST = AccountsAsyncStub::readDeepestFirst;
    static final ResultReader.OfInt EVERYTHING = AccountsAsyncStub::readEverything;
    static final ResultReader<String> LATER = AccountsAsyncStub::readLater;
    static final ResultReader<Void> LATER_NOTHING = (in, thrown) -> null;
    static final ResultReader<Void> UNCHECKED = AccountsAsyncStub::readUnchecked;

    private final RpcChannel channel;

    AccountsAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Long> byAccessors(long account) {
        return beginByAccessors(account).invokeAsync(BY_ACCESSORS);
    }

    @Override
    public void byAccessors(long account, RpcCallback.OfLong callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Accounts/byAccessors");
        beginByAccessors(account).invokeCallbackLong(BY_ACCESSORS, callback);
    }

    @Override
    public CompletableFuture<Void> byMessage() {
        return beginByMessage().invokeAsync(BY_MESSAGE);
    }

    @Override
    public void byMessage(RpcCallback<Void> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Accounts/byMessage");
        beginByMessage().invokeCallback(BY_MESSAGE, callback);
    }

    @Override
    public CompletableFuture<String> deepestFirst(String path) {
        return beginDeepestFirst(path).invokeAsync(DEEPEST_FIRST);
    }

    @Override
    public void deepestFirst(String path, RpcCallback<String> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Accounts/deepestFirst");
        beginDeepestFirst(path).invokeCallback(DEEPEST_FIRST, callback);
    }

    @Override
    public CompletableFuture<Integer> everything(int number) {
        return beginEverything(number).invokeAsync(EVERYTHING);
    }

    @Override
    public void everything(int number, RpcCallback.OfInt callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Accounts/everything");
        beginEverything(number).invokeCallbackInt(EVERYTHING, callback);
    }

    @Override
    public CompletableFuture<String> later(String text) {
        return beginLater(text).invokeAsync(LATER);
    }

    @Override
    public void later(String text, RpcCallback<String> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Accounts/later");
        beginLater(text).invokeCallback(LATER, callback);
    }

    @Override
    public CompletableFuture<Void> laterNothing() {
        return beginLaterNothing().invokeAsync(LATER_NOTHING);
    }

    @Override
    public void laterNothing(RpcCallback<Void> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Accounts/laterNothing");
        beginLaterNothing().invokeCallback(LATER_NOTHING, callback);
    }

    @Override
    public CompletableFuture<Void> unchecked() {
        return beginUnchecked().invokeAsync(UNCHECKED);
    }

    @Override
    public void unchecked(RpcCallback<Void> callback) {
        Objects.requireNonNull(callback, "callback is null: org.acme.Accounts/unchecked");
        beginUnchecked().invokeCallback(UNCHECKED, callback);
    }

    private ClientCall beginByAccessors(long account) {
        ClientCall call = channel.begin(AccountsService.BY_ACCESSORS);
        try {
            call.arguments().writeLong(account);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private static long readByAccessors(WireReader in, int thrown) throws Overdrawn {
        return switch (thrown) {
            case 0 -> in.readLong();
            case 1 -> throw AccountsCodec.readOverdrawn(in);
            default -> throw AccountsCodec.undeclared(thrown, "org.acme.Accounts/byAccessors");
        };
    }

    private ClientCall beginByMessage() {
        ClientCall call = channel.begin(AccountsService.BY_MESSAGE);
        return call;
    }

    private static Void readByMessage(WireReader in, int thrown) throws IOException {
        return switch (thrown) {
            case 0 -> null;
            case 1 -> throw AccountsCodec.readIOException(in);
            default -> throw AccountsCodec.undeclared(thrown, "org.acme.Accounts/byMessage");
        };
    }

    private ClientCall beginDeepestFirst(String path) {
        ClientCall call = channel.begin(AccountsService.DEEPEST_FIRST);
        try {
            call.arguments().writeString(
                    AccountsCodec.nonNull(path, "path is null: org.acme.Accounts/deepestFirst"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private static String readDeepestFirst(WireReader in, int thrown) throws IOException,
            FileNotFoundException, Closed {
        return switch (thrown) {
            case 0 -> in.readString();
            case 1 -> throw AccountsCodec.readIOException(in);
            case 2 -> throw AccountsCodec.readFileNotFoundException(in);
            case 3 -> throw AccountsCodec.readClosed(in);
            default -> throw AccountsCodec.undeclared(thrown, "org.acme.Accounts/deepestFirst");
        };
    }

    private ClientCall beginEverything(int number) {
        ClientCall call = channel.begin(AccountsService.EVERYTHING);
        try {
            call.arguments().writeInt(number);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private static int readEverything(WireReader in, int thrown) throws Exception,
            IllegalArgumentException {
        return switch (thrown) {
            case 0 -> in.readInt();
            case 1 -> throw AccountsCodec.readException(in);
            case 2 -> throw AccountsCodec.readIllegalArgumentException(in);
            default -> throw AccountsCodec.undeclared(thrown, "org.acme.Accounts/everything");
        };
    }

    private ClientCall beginLater(String text) {
        ClientCall call = channel.begin(AccountsService.LATER);
        try {
            call.arguments().writeString(
                    AccountsCodec.nonNull(text, "text is null: org.acme.Accounts/later"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private static String readLater(WireReader in, int thrown) throws Overdrawn, Exception {
        return switch (thrown) {
            case 0 -> in.readString();
            case 1 -> throw AccountsCodec.readOverdrawn(in);
            case 2 -> throw AccountsCodec.readException(in);
            default -> throw AccountsCodec.undeclared(thrown, "org.acme.Accounts/later");
        };
    }

    private ClientCall beginLaterNothing() {
        ClientCall call = channel.begin(AccountsService.LATER_NOTHING);
        return call;
    }

    private ClientCall beginUnchecked() {
        ClientCall call = channel.begin(AccountsService.UNCHECKED);
        return call;
    }

    private static Void readUnchecked(WireReader in, int thrown) throws IllegalStateException {
        return switch (thrown) {
            case 0 -> null;
            case 1 -> throw AccountsCodec.readIllegalStateException(in);
            default -> throw AccountsCodec.undeclared(thrown, "org.acme.Accounts/unchecked");
        };
    }
}
