package org.acme;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.annotation.processing.Generated;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServerCall;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.wire.WireReader;

/** Calls an implementation of {@link Directory.Users} from bytes. */
@Generated("org.jvrpc.codegen.RpcServiceProcessor")
final class Directory_UsersSkeleton implements Skeleton {

    private static final ServerCall.ResultWriter<Page<Directory.User>> PAGE_LATER =
            Directory_UsersSkeleton::writePageLater;

    private final Directory.Users implementation;

    Directory_UsersSkeleton(Directory.Users implementation) {
        this.implementation = implementation;
    }

    @Override
    public void dispatch(int index, ServerCall call) {
        switch (index) {
            case 0 -> addAll(call);
            case 1 -> all(call);
            case 2 -> call(call);
            case 3 -> count(call);
            case 4 -> findString(call);
            case 5 -> findStringInt(call);
            case 6 -> findLong(call);
            case 7 -> get(call);
            case 8 -> join(call);
            case 9 -> name(call);
            case 10 -> page(call);
            case 11 -> pageLater(call);
            case 12 -> put(call);
            case 13 -> sum(call);
            default -> throw new RpcException(
                    Status.UNIMPLEMENTED, "directory has no method index=" + index);
        }
    }

    private void addAll(ServerCall call) {
        WireReader in = call.arguments();
        List<? extends Directory.User> users = Directory_UsersCodec.readListOfAnyUser(in);
        Map<String, ? extends List<? extends Directory.User>> groups =
                Directory_UsersCodec.readMapOfAnyStringToListOfAnyUser(in);
        int result = implementation.addAll(users, groups);
        call.result().writeInt(result);
    }

    private void all(ServerCall call) {
        List<Directory.User> result = implementation.all();
        Directory_UsersCodec.writeListOfUser(call.result(),
                Directory_UsersCodec.returned(result, "directory/all returned null"));
    }

    private void call(ServerCall call) {
        WireReader in = call.arguments();
        String call_ = in.readString();
        int in_ = in.readInt();
        long out_ = in.readLong();
        boolean channel = in.readBoolean();
        short implementation_ = in.readShort();
        byte result_ = in.readByte();
        char t = in.readChar();
        float e_ = in.readFloat();
        implementation.call(call_, in_, out_, channel, implementation_, result_, t, e_);
        call.result();
    }

    private void count(ServerCall call) {
        int result = implementation.count();
        call.result().writeInt(result);
    }

    private void findString(ServerCall call) {
        WireReader in = call.arguments();
        String name = in.readString();
        Directory.User result = implementation.find(name);
        Directory_UsersCodec.writeUser(call.result(),
                Directory_UsersCodec.returned(result, "directory/find returned null"));
    }

    private void findStringInt(ServerCall call) {
        WireReader in = call.arguments();
        String name = in.readString();
        int age = in.readInt();
        Directory.User result = implementation.find(name, age);
        Directory_UsersCodec.writeUser(call.result(),
                Directory_UsersCodec.returned(result, "directory/find returned null"));
    }

    private void findLong(ServerCall call) {
        WireReader in = call.arguments();
        long id = in.readLong();
        Directory.User result = implementation.find(id);
        Directory_UsersCodec.writeUser(call.result(),
                Directory_UsersCodec.returned(result, "directory/find returned null"));
    }

    private void get(ServerCall call) {
        WireReader in = call.arguments();
        Long key = Directory_UsersCodec.readNullableLong(in);
        Directory.User result = implementation.get(key);
        Directory_UsersCodec.writeNullableUser(call.result(), result);
    }

    private void join(ServerCall call) {
        WireReader in = call.arguments();
        String[] parts = Directory_UsersCodec.readStringArray(in);
        String result = implementation.join(parts);
        call.result().writeString(
                Directory_UsersCodec.returned(result, "directory/join returned null"));
    }

    private void name(ServerCall call) {
        WireReader in = call.arguments();
        int methods = in.readInt();
        Collection<Directory.CharSequenceLike> result = implementation.name(methods);
        Directory_UsersCodec.writeCollectionOfCharSequenceLike(call.result(),
                Directory_UsersCodec.returned(result, "directory/name returned null"));
    }

    private void page(ServerCall call) {
        WireReader in = call.arguments();
        int number = in.readInt();
        Page<Directory.User> result = implementation.page(number);
        Directory_UsersCodec.writePageOfUser(call.result(),
                Directory_UsersCodec.returned(result, "directory/page returned null"));
    }

    private void pageLater(ServerCall call) {
        WireReader in = call.arguments();
        int number = in.readInt();
        CompletableFuture<Page<Directory.User>> result = implementation.pageLater(number);
        call.completeLater(result, PAGE_LATER);
    }

    private void put(ServerCall call) {
        WireReader in = call.arguments();
        Long key = Directory_UsersCodec.readNullableLong(in);
        Directory.User value = Directory_UsersCodec.readUser(in);
        implementation.put(key, value);
        call.result();
    }

    private void sum(ServerCall call) {
        WireReader in = call.arguments();
        int first = in.readInt();
        int[] rest = in.readInts();
        int result = implementation.sum(first, rest);
        call.result().writeInt(result);
    }

    private static void writePageLater(ServerCall call, Page<Directory.User> result,
            Throwable thrown) throws Throwable {
        if (thrown != null) {
            throw Directory_UsersCodec.unwrapped(thrown);
        }
        Directory_UsersCodec.writePageOfUser(call.result(),
                Directory_UsersCodec.returned(result, "directory/pageLater returned null"));
    }
}
