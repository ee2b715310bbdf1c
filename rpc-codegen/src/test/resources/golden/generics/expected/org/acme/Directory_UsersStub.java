package org.acme;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** Calls {@link Directory.Users} in another process. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class Directory_UsersStub implements Directory.Users {

    private final RpcChannel channel;

    Directory_UsersStub(RpcChannel channel) {
        this.channel = channel;
    }

    @Override
    public int addAll(List<? extends Directory.User> users,
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
        try {
            WireReader in = call.invoke();
            return in.readInt();
        } finally {
            call.close();
        }
    }

    @Override
    public List<Directory.User> all() {
        ClientCall call = channel.begin(Directory_UsersService.ALL);
        try {
            WireReader in = call.invoke();
            return Directory_UsersCodec.readListOfUser(in);
        } finally {
            call.close();
        }
    }

    @Override
    public void call(String call, int in, long out, boolean channel, short implementation,
            byte result, char t, float e) {
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
        try {
            call_.invoke();
        } finally {
            call_.close();
        }
    }

    @Override
    public int count() {
        ClientCall call = channel.begin(Directory_UsersService.COUNT);
        try {
            WireReader in = call.invoke();
            return in.readInt();
        } finally {
            call.close();
        }
    }

    @Override
    public Directory.User find(String name) {
        ClientCall call = channel.begin(Directory_UsersService.FIND_STRING);
        try {
            call.arguments().writeString(
                    Directory_UsersCodec.nonNull(name, "name is null: directory/find"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return Directory_UsersCodec.readUser(in);
        } finally {
            call.close();
        }
    }

    @Override
    public Directory.User find(String name, int age) {
        ClientCall call = channel.begin(Directory_UsersService.FIND_STRING_INT);
        try {
            WireWriter out = call.arguments();
            out.writeString(Directory_UsersCodec.nonNull(name, "name is null: directory/find"));
            out.writeInt(age);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return Directory_UsersCodec.readUser(in);
        } finally {
            call.close();
        }
    }

    @Override
    public Directory.User find(long id) {
        ClientCall call = channel.begin(Directory_UsersService.FIND_LONG);
        try {
            call.arguments().writeLong(id);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return Directory_UsersCodec.readUser(in);
        } finally {
            call.close();
        }
    }

    @Override
    public Directory.User get(Long key) {
        ClientCall call = channel.begin(Directory_UsersService.GET);
        try {
            Directory_UsersCodec.writeNullableLong(call.arguments(), key);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return Directory_UsersCodec.readNullableUser(in);
        } finally {
            call.close();
        }
    }

    @Override
    public String join(String... parts) {
        ClientCall call = channel.begin(Directory_UsersService.JOIN);
        try {
            Directory_UsersCodec.writeStringArray(call.arguments(),
                    Directory_UsersCodec.nonNull(parts, "parts is null: directory/join"));
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return in.readString();
        } finally {
            call.close();
        }
    }

    @Override
    public Collection<Directory.CharSequenceLike> name(int methods) {
        ClientCall call = channel.begin(Directory_UsersService.NAME);
        try {
            call.arguments().writeInt(methods);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return Directory_UsersCodec.readCollectionOfCharSequenceLike(in);
        } finally {
            call.close();
        }
    }

    @Override
    public Page<Directory.User> page(int number) {
        ClientCall call = channel.begin(Directory_UsersService.PAGE);
        try {
            call.arguments().writeInt(number);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        try {
            WireReader in = call.invoke();
            return Directory_UsersCodec.readPageOfUser(in);
        } finally {
            call.close();
        }
    }

    @Override
    public CompletableFuture<Page<Directory.User>> pageLater(int number) {
        ClientCall call = channel.begin(Directory_UsersService.PAGE_LATER);
        try {
            call.arguments().writeInt(number);
        } catch (Throwable t) {
            throw call.abandon(t);
        }
        return call.invokeAsync(Directory_UsersAsyncStub.PAGE_LATER);
    }

    @Override
    public void put(Long key, Directory.User value) {
        ClientCall call = channel.begin(Directory_UsersService.PUT);
        try {
            WireWriter out = call.arguments();
            Directory_UsersCodec.writeNullableLong(out, key);
            Directory_UsersCodec.writeUser(out,
                    Directory_UsersCodec.nonNull(value, "value is null: directory/put"));
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
    public int sum(int first, int... rest) {
        ClientCall call = channel.begin(Directory_UsersService.SUM);
        try {
            WireWriter out = call.arguments();
            out.writeInt(first);
            out.writeInts(Directory_UsersCodec.nonNull(rest, "rest is null: directory/sum"));
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
