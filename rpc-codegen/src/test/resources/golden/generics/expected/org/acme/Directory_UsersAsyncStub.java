package org.acme;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Directory.Users} in another process without waiting. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
@SuppressWarnings("overloads")
final class Directory_UsersAsyncStub implements Directory_UsersAsync {

    static final ResultReader.OfInt ADD_ALL = (in, thrown) -> in.readInt();
    static final ResultReader<List<Directory.User>> ALL = (in, thrown) -> Directory_UsersCodec.readListOfUser(in);
    static final ResultReader<Void> CALL = (in, thrown) -> null;
    static final ResultReader.OfInt COUNT = (in, thrown) -> in.readInt();
    static final ResultReader<Directory.User> FIND_STRING = (in, thrown) -> Directory_UsersCodec.readUser(in);
    static final ResultReader<Directory.User> FIND_STRING_INT = (in, thrown) -> Directory_UsersCodec.readUser(in);
    static final ResultReader<Directory.User> FIND_LONG = (in, thrown) -> Directory_UsersCodec.readUser(in);
    static final ResultReader<Directory.User> GET = (in, thrown) -> Directory_UsersCodec.readNullableUser(in);
    static final ResultReader<String> JOIN = (in, thrown) -> in.readString();
    static final ResultReader<Collection<Directory.CharSequenceLike>> NAME = (in, thrown) ->
            Directory_UsersCodec.readCollectionOfCharSequenceLike(in);
    static final ResultReader<Page<Directory.User>> PAGE = (in, thrown) -> Directory_UsersCodec.readPageOfUser(in);
    static final ResultReader<Page<Directory.User>> PAGE_LATER = (in, thrown) ->
            Directory_UsersCodec.readPageOfUser(in);
    static final ResultReader<Void> PUT = (in, thrown) -> null;
    static final ResultReader.OfInt SUM = (in, thrown) -> in.readInt();

    private final RpcChannel channel;

    Directory_UsersAsyncStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public CompletableFuture<Integer> addAll(List<? extends Directory.User> users,
            Map<String, ? extends List<? extends Directory.User>> groups) {
        return beginAddAll(users, groups).invokeAsync(ADD_ALL);
    }

    @Override
    public void addAll(List<? extends Directory.User> users,
            Map<String, ? extends List<? extends Directory.User>> groups,
            RpcCallback.OfInt callback) {
        Objects.requireNonNull(callback, "callback is null: directory/addAll");
        beginAddAll(users, groups).invokeCallbackInt(ADD_ALL, callback);
    }

    @Override
    public CompletableFuture<List<Directory.User>> all() {
        return beginAll().invokeAsync(ALL);
    }

    @Override
    public void all(RpcCallback<List<Directory.User>> callback) {
        Objects.requireNonNull(callback, "callback is null: directory/all");
        beginAll().invokeCallback(ALL, callback);
    }

    @Override
    public CompletableFuture<Void> call(String call, int in, long out, boolean channel,
            short implementation, byte result, char t, float e) {
        return beginCall(call, in, out, channel, implementation, result, t, e).invokeAsync(CALL);
    }

    @Override
    public void call(String call, int in, long out, boolean channel, short implementation,
            byte result, char t, float e, RpcCallback<Void> callback) {
        Objects.requireNonNull(callback, "callback is null: directory/call");
        beginCall(call, in, out, channel, implementation, result, t, e).invokeCallback(CALL, callback);
    }

    @Override
    public CompletableFuture<Integer> count() {
        return beginCount().invokeAsync(COUNT);
    }

    @Override
    public void count(RpcCallback.OfInt callback) {
        Objects.requireNonNull(callback, "callback is null: directory/count");
        beginCount().invokeCallbackInt(COUNT, callback);
    }

    @Override
    public CompletableFuture<Directory.User> find(String name) {
        return beginFindString(name).invokeAsync(FIND_STRING);
    }

    @Override
    public void find(String name, RpcCallback<Directory.User> callback) {
        Objects.requireNonNull(callback, "callback is null: directory/find");
        beginFindString(name).invokeCallback(FIND_STRING, callback);
    }

    @Override
    public CompletableFuture<Directory.User> find(String name, int age) {
        return beginFindStringInt(name, age).invokeAsync(FIND_STRING_INT);
    }

    @Override
    public void find(String name, int age, RpcCallback<Directory.User> callback) {
        Objects.requireNonNull(callback, "callback is null: directory/find");
        beginFindStringInt(name, age).invokeCallback(FIND_STRING_INT, callback);
    }

    @Override
    public CompletableFuture<Directory.User> find(long id) {
        return beginFindLong(id).invokeAsync(FIND_LONG);
    }

    @Override
    public void find(long id, RpcCallback<Directory.User> callback) {
        Objects.requireNonNull(callback, "callback is null: directory/find");
        beginFindLong(id).invokeCallback(FIND_LONG, callback);
    }

    @Override
    public CompletableFuture<Directory.User> get(Long key) {
        return beginGet(key).invokeAsync(GET);
    }

    @Override
    public void get(Long key, RpcCallback<Directory.User> callback) {
        Objects.requireNonNull(callback, "callback is null: directory/get");
        beginGet(key).invokeCallback(GET, callback);
    }

    @Override
    public CompletableFuture<String> join(String... parts) {
        return beginJoin(parts).invokeAsync(JOIN);
    }

    @Override
    public void join(String[] parts, RpcCallback<String> callback) {
        Objects.requireNonNull(callback, "callback is null: directory/join");
        beginJoin(parts).invokeCallback(JOIN, callback);
    }

    @Override
    public CompletableFuture<Collection<Directory.CharSequenceLike>> name(int methods) {
        return beginName(methods).invokeAsync(NAME);
    }

    @Override
    public void name(int methods, RpcCallback<Collection<Directory.CharSequenceLike>> callback) {
        Objects.requireNonNull(callback, "callback is null: directory/name");
        beginName(methods).invokeCallback(NAME, callback);
    }

    @Override
    public CompletableFuture<Page<Directory.User>> page(int number) {
        return beginPage(number).invokeAsync(PAGE);
    }

    @Override
    public void page(int number, RpcCallback<Page<Directory.User>> callback) {
        Objects.requireNonNull(callback, "callback is null: directory/page");
        beginPage(number).invokeCallback(PAGE, callback);
    }

    @Override
    public CompletableFuture<Page<Directory.User>> pageLater(int number) {
        return beginPageLater(number).invokeAsync(PAGE_LATER);
    }

    @Override
    public void pageLater(int number, RpcCallback<Page<Directory.User>> callback) {
        Objects.requireNonNull(callback, "callback is null: directory/pageLater");
        beginPageLater(number).invokeCallback(PAGE_LATER, callback);
    }

    @Override
    public CompletableFuture<Void> put(Long key, Directory.User value) {
        return beginPut(key, value).invokeAsync(PUT);
    }

    @Override
    public void put(Long key, Directory.User value, RpcCallback<Void> callback) {
        Objects.requireNonNull(callback, "callback is null: directory/put");
        beginPut(key, value).invokeCallback(PUT, callback);
    }

    @Override
    public CompletableFuture<Integer> sum(int first, int... rest) {
        return beginSum(first, rest).invokeAsync(SUM);
    }

    @Override
    public void sum(int first, int[] rest, RpcCallback.OfInt callback) {
        Objects.requireNonNull(callback, "callback is null: directory/sum");
        beginSum(first, rest).invokeCallbackInt(SUM, callback);
    }

    private ClientCall beginAddAll(List<? extends Directory.User> users,
            Map<String, ? extends List<? extends Directory.User>> groups) {
        ClientCall call = channel.begin(Directory_UsersService.ADD_ALL);
        try {
            WireWriter out = call.arguments();
            Directory_UsersCodec.writeListOfAnyUser(out,
                    Directory_UsersCodec.nonNull(users, "users is null: directory/addAll"));
            Directory_UsersCodec.writeMapOfAnyStringToListOfAnyUser(out,
                    Directory_UsersCodec.nonNull(groups, "groups is null: directory/addAll"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginAll() {
        ClientCall call = channel.begin(Directory_UsersService.ALL);
        return call;
    }

    private ClientCall beginCall(String call, int in, long out, boolean channel,
            short implementation, byte result, char t, float e) {
        ClientCall call_ = this.channel.begin(Directory_UsersService.CALL);
        try {
            WireWriter out_ = call_.arguments();
            out_.writeString(Directory_UsersCodec.nonNull(call, "call is null: directory/call"));
            out_.writeInt(in);
            out_.writeLong(out);
            out_.writeBoolean(channel);
            out_.writeShort(implementation);
            out_.writeByte(result);
            out_.writeChar(t);
            out_.writeFloat(e);
        } catch (Throwable t_) {
            throw call_.abandon(t_);
        }
        return call_;
    }

    private ClientCall beginCount() {
        ClientCall call = channel.begin(Directory_UsersService.COUNT);
        return call;
    }

    private ClientCall beginFindString(String name) {
        ClientCall call = channel.begin(Directory_UsersService.FIND_STRING);
        try {
            call.arguments().writeString(
                    Directory_UsersCodec.nonNull(name, "name is null: directory/find"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginFindStringInt(String name, int age) {
        ClientCall call = channel.begin(Directory_UsersService.FIND_STRING_INT);
        try {
            WireWriter out = call.arguments();
            out.writeString(Directory_UsersCodec.nonNull(name, "name is null: directory/find"));
            out.writeInt(age);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginFindLong(long id) {
        ClientCall call = channel.begin(Directory_UsersService.FIND_LONG);
        try {
            call.arguments().writeLong(id);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginGet(Long key) {
        ClientCall call = channel.begin(Directory_UsersService.GET);
        try {
            Directory_UsersCodec.writeNullableLong(call.arguments(), key);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginJoin(String[] parts) {
        ClientCall call = channel.begin(Directory_UsersService.JOIN);
        try {
            Directory_UsersCodec.writeStringArray(call.arguments(),
                    Directory_UsersCodec.nonNull(parts, "parts is null: directory/join"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginName(int methods) {
        ClientCall call = channel.begin(Directory_UsersService.NAME);
        try {
            call.arguments().writeInt(methods);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginPage(int number) {
        ClientCall call = channel.begin(Directory_UsersService.PAGE);
        try {
            call.arguments().writeInt(number);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginPageLater(int number) {
        ClientCall call = channel.begin(Directory_UsersService.PAGE_LATER);
        try {
            call.arguments().writeInt(number);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginPut(Long key, Directory.User value) {
        ClientCall call = channel.begin(Directory_UsersService.PUT);
        try {
            WireWriter out = call.arguments();
            Directory_UsersCodec.writeNullableLong(out, key);
            Directory_UsersCodec.writeUser(out,
                    Directory_UsersCodec.nonNull(value, "value is null: directory/put"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }

    private ClientCall beginSum(int first, int[] rest) {
        ClientCall call = channel.begin(Directory_UsersService.SUM);
        try {
            WireWriter out = call.arguments();
            out.writeInt(first);
            out.writeInts(Directory_UsersCodec.nonNull(rest, "rest is null: directory/sum"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call;
    }
}
