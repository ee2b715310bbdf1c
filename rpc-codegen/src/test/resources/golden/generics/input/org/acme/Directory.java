package org.acme;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcService;

/** A place for a service inside another type. */
public final class Directory {

    private Directory() {
    }

    public record User(long id, String name) {
    }

    /** Inherits with type arguments, overloads, overrides with a narrower result, and has parameters of awkward names. */
    @RpcService(name = "directory")
    public interface Users extends Crud<Long, User>, Counted, Sized {

        @Override
        List<User> all();

        User find(String name);

        User find(String name, int age);

        User find(long id);

        int addAll(List<? extends User> users, Map<String, ? extends List<? extends User>> groups);

        void call(String call, int in, long out, boolean channel, short implementation, byte result, char t, float e);

        int sum(int first, int... rest);

        String join(String... parts);

        CompletableFuture<Page<User>> pageLater(int number);

        Collection<CharSequenceLike> name(int methods);

        @Override
        String toString();

        static Users none() {
            throw new UnsupportedOperationException();
        }
    }

    public enum CharSequenceLike { ONE, TWO }
}
